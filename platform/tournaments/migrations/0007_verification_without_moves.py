from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_matches_played"),
    ]

    operations = [
        migrations.AddField(
            model_name="verification",
            name="dropped",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
