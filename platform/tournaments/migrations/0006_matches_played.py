from django.db import migrations, models

from upkeep.schema import AddIndexWithoutLock


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tournaments", "0005_dates_plans_verification")]

    operations = [
        AddIndexWithoutLock(
            model_name="match",
            index=models.Index(
                fields=["state", "id"],
                name="match_played",
                condition=models.Q(state__in=["running", "parked", "finished"]),
            ),
        ),
    ]
