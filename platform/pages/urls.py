"""Addresses of the pages that draw on several apps."""

from django.urls import include, path

from pages import views

docs = (
    [
        path("", views.docs_index, name="index"),
        path("<path:slug>/", views.docs_page, name="page"),
    ],
    "docs",
)

urlpatterns = [
    path("", views.home, name="home"),
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("account/", views.account, name="account"),
    path("theme/", views.theme, name="theme"),
    path("robots.txt", views.robots, name="robots"),
    # Browsers ask for it whatever a page says.
    path("favicon.ico", views.favicon, name="favicon"),
    path("docs/", include(docs)),
    path("bots/", include("pages.urls_bots")),
]
