"""The addresses of replays."""

from django.urls import path
from django.views.decorators.http import conditional_page

from replays import views

app_name = "replays"

urlpatterns = [
    path("games/<int:pk>/", views.game, name="game"),
    path("matches/<int:pk>/deals/<int:number>/", views.deal, name="deal"),
    path("games/<int:pk>/embed/", conditional_page(views.embed), name="embed"),
    path("games/<int:pk>/frames.json", views.frames, name="frames"),
    path("games/<int:pk>/record.json", views.record, name="record"),
    path("games/<int:pk>/failures/<int:seat>.json", views.reproduction, name="reproduction"),
]
