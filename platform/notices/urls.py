"""The addresses of notices."""

from django.urls import path

from notices import views

app_name = "notices"

urlpatterns = [
    path("account/notices/", views.choose, name="settings"),
    path("notices/stop/<str:token>/", views.stop, name="stop"),
]
