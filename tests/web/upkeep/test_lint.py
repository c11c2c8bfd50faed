"""The linter of migrations: what would stop a site with a million games, and what would not."""

import time

import pytest
from django.core.management import call_command
from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.migration import Migration

from upkeep import lint
from upkeep.schema import AddIndexWithoutLock, RemoveIndexWithoutLock

INDEX = models.Index(fields=["seconds"], name="game_seconds")


def found(*operations, app: str = "tournaments", **attributes) -> str:
    kind = type("Migration", (Migration,), {"operations": list(operations), **attributes})
    return " ".join(lint.findings_of(kind("0099_made_up", app)))


def test_the_migrations_of_the_house_lock_nothing_for_long(capsys):
    assert list(lint.findings()) == []
    call_command("lint_migrations")
    assert "No migration locks a big table" in capsys.readouterr().out


def test_the_big_tables_are_there_and_the_linter_looks_at_our_migrations():
    from django.apps import apps

    assert {model._meta.label_lower for model in apps.get_models()} >= lint.BIG
    assert lint.apps_of_the_house() >= {"accounts", "api", "bots", "tournaments", "upkeep"}
    assert not lint.apps_of_the_house() & {"auth", "account", "admin"}


@pytest.mark.parametrize(
    ("operation", "sentence"),
    [
        (ops.AddIndex("game", INDEX), "AddIndexWithoutLock"),
        (ops.AddConstraint("game", models.CheckConstraint(condition=models.Q(pk=1), name="x")), "every row is checked"),
        (ops.AddField("game", "x", models.IntegerField(unique=True, null=True)), "an index is made with it"),
        (ops.AddField("game", "x", models.ForeignKey("bots.Bot", models.CASCADE, null=True)), "an index is made"),
        (ops.AddField("game", "x", models.FloatField(default=time.time)), "every row is written"),
        (ops.AlterField("game", "seconds", models.TextField()), "every row anew"),
        (ops.RenameField("game", "seconds", "time"), "ask for the old name"),
        (ops.RunPython(lambda *_: None), "one transaction"),
        (ops.RunSQL("UPDATE x SET y = 1"), "one transaction"),
    ],
)
def test_what_locks_a_big_table_is_found(operation, sentence):
    assert sentence in found(operation)
    assert found(operation, locks_briefly="Forty rows, looked at by two people.") == ""


@pytest.mark.parametrize(
    "operation",
    [
        ops.AddField("game", "x", models.IntegerField(null=True)),
        ops.AddField("game", "x", models.IntegerField(default=0)),
        ops.AddField("game", "x", models.JSONField(default=dict)),
        ops.RemoveField("game", "seconds"),
        ops.AddIndex("tournament", INDEX),
        ops.AlterField("tournament", "name", models.TextField()),
        ops.AddIndex("nothing", INDEX),
    ],
)
def test_what_takes_a_moment_is_not(operation):
    assert found(operation) == ""


def test_a_table_that_is_made_in_the_same_migration_is_empty():
    assert found(ops.CreateModel("Game", []), ops.AddIndex("game", INDEX)) == ""


def test_an_index_without_lock_needs_a_migration_of_its_own():
    for operation in (AddIndexWithoutLock("game", INDEX), RemoveIndexWithoutLock("game", "game_seconds")):
        assert found(operation, atomic=False) == ""
        assert "atomic = False" in found(operation)
        beside = ops.AddField("game", "x", models.IntegerField(null=True))
        assert "of its own" in found(operation, beside, atomic=False)


def test_rows_are_written_in_batches():
    assert found(ops.RunPython(lambda *_: None), atomic=False) == ""
