"""The addresses of tournaments and their matches."""

from django.urls import path

from tournaments import views, views_files, views_organise

app_name = "tournaments"

urlpatterns = [
    path("tournaments/", views.index, name="list"),
    path("tournaments/new/", views_organise.new, name="new"),
    path("tournaments/<slug:slug>/", views.detail, name="detail"),
    path("tournaments/<slug:slug>/progress/", views.progress, name="progress"),
    path("tournaments/<slug:slug>/crosstable/", views.crosstable, name="crosstable"),
    path("tournaments/<slug:slug>/matches/", views.matches, name="matches"),
    path("tournaments/<slug:slug>/fairness/", views.fairness, name="fairness"),
    path("tournaments/<slug:slug>/fairness/verify/", views.verify, name="verify"),
    path("tournaments/<slug:slug>/rules/", views.rules, name="rules"),
    path("tournaments/<slug:slug>/enter/", views.enter, name="enter"),
    path("tournaments/<slug:slug>/plan/", views.plan, name="plan"),
    path("tournaments/<slug:slug>/final/", views.final, name="final"),
    path("tournaments/<slug:slug>/files/table.csv", views_files.table, name="table-csv"),
    path("tournaments/<slug:slug>/files/crosstable.csv", views_files.crosstable, name="crosstable-csv"),
    path("tournaments/<slug:slug>/files/tournament.json", views_files.whole, name="json"),
    path("tournaments/<slug:slug>/files/records.jsonl", views_files.records, name="records"),
    path("tournaments/<slug:slug>/files/proof.jsonl", views_files.proof, name="proof"),
    path("tournaments/<slug:slug>/manage/", views_organise.manage, name="manage"),
    path("tournaments/<slug:slug>/manage/edit/", views_organise.edit, name="edit"),
    path("tournaments/<slug:slug>/manage/bots/", views_organise.invite, name="invite"),
    path("tournaments/<slug:slug>/manage/start/", views_organise.start, name="start"),
    path("tournaments/<slug:slug>/manage/cancel/", views_organise.cancel, name="cancel"),
    path("tournaments/<slug:slug>/manage/<str:step>/", views_organise.step, name="step"),
    path("tournaments/<slug:slug>/entries/<int:pk>/withdraw/", views_organise.withdraw, name="withdraw"),
    path("tournaments/<slug:slug>/entries/<int:pk>/disqualify/", views_organise.disqualify, name="disqualify"),
    path("matches/<int:pk>/", views.match, name="match"),
]
