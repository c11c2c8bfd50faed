"""The addresses of one's account that are ours, below `/account/`; the others are django-allauth's."""

from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("tokens/", views.token_list, name="tokens"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke-token"),
]
