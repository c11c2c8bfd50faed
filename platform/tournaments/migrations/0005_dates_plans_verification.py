import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0002_moderation"),
        ("tournaments", "0004_parked_matches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Verification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("counted", models.JSONField(blank=True, default=dict)),
                ("matches", models.PositiveIntegerField(default=0)),
                ("games", models.PositiveIntegerField(default=0)),
                ("found", models.PositiveIntegerField(default=0)),
                ("findings", models.JSONField(blank=True, default=list)),
            ],
            options={
                "verbose_name": "verification",
                "verbose_name_plural": "verifications",
                "ordering": ("-asked_at",),
            },
        ),
        migrations.AddField(
            model_name="entry",
            name="plan_index",
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="plan_total",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="planning",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="start_missed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="starts by itself"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("tournament", "plan_index"), name="entry_plan_index_once"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closes_at", None), ("starts_at", None), ("closes_at__lte", models.F("starts_at")), _connector="OR"
                ),
                name="tournament_closes_before_it_starts",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("opens_at", None), ("starts_at", None), ("opens_at__lt", models.F("starts_at")), _connector="OR"
                ),
                name="tournament_opens_before_it_starts",
            ),
        ),
        migrations.AddField(
            model_name="verification",
            name="tournament",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="verification", to="tournaments.tournament"
            ),
        ),
        migrations.AddIndex(
            model_name="verification",
            index=models.Index(
                condition=models.Q(("finished_at", None)), fields=["asked_at"], name="verification_waits"
            ),
        ),
    ]
