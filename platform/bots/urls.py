"""The addresses of a bot's author, below `/bots/`. Words such as `new` come before slugs, which must not take them."""

from django.urls import path

from bots import views

author = [
    path("mine/", views.mine, name="mine"),
    path("new/", views.new, name="new"),
    path("<slug:slug>/edit/", views.edit, name="edit"),
    path("<slug:slug>/upload/", views.upload, name="upload"),
    path("<slug:slug>/pick/", views.pick, name="pick"),
    path("<slug:slug>/versions/<int:number>/", views.version, name="version"),
    path("<slug:slug>/versions/<int:number>/file/", views.download, name="download"),
    path("<slug:slug>/versions/<int:number>/failure.json", views.reproduction, name="reproduction"),
]
