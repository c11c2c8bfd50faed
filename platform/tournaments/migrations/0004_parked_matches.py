from django.db import migrations, models

from upkeep.schema import AddIndexWithoutLock


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0003_suspended_entries")]
    operations = [
        AddIndexWithoutLock(
            model_name="match",
            index=models.Index(condition=models.Q(("state", "parked")), fields=["id"], name="match_parked"),
        )
    ]
