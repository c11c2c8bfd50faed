"""The addresses of tournaments and their matches."""

from django.urls import path

from tournaments import views

app_name = "tournaments"

urlpatterns = [
    path("tournaments/", views.index, name="list"),
    path("tournaments/<slug:slug>/", views.detail, name="detail"),
    path("tournaments/<slug:slug>/progress/", views.progress, name="progress"),
    path("tournaments/<slug:slug>/crosstable/", views.crosstable, name="crosstable"),
    path("tournaments/<slug:slug>/matches/", views.matches, name="matches"),
    path("tournaments/<slug:slug>/fairness/", views.fairness, name="fairness"),
    path("tournaments/<slug:slug>/rules/", views.rules, name="rules"),
    path("tournaments/<slug:slug>/enter/", views.enter, name="enter"),
    path("matches/<int:pk>/", views.match, name="match"),
]
