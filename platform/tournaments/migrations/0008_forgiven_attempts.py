from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_verification_without_moves"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="forgiven",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="Those before it was given all its attempts again.",
                verbose_name="attempts forgiven",
            ),
        ),
    ]
