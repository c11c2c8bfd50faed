"""Addresses of the pages that draw on several apps."""

from django.urls import include, path
from django.views.decorators.http import conditional_page, require_safe

from pages import feeds, views, views_account, views_moderation, views_operations

docs = (
    [
        path("", views.docs_index, name="index"),
        path("<path:slug>/", views.docs_page, name="page"),
    ],
    "docs",
)

urlpatterns = [
    path("", views.home, name="home"),
    path("about/", views.about, name="about"),
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("account/", views.account, name="account"),
    path("account/data/", views_account.data, name="account-data"),
    path("account/data/export.json", views_account.export, name="account-export"),
    path("account/delete/", views_account.delete, name="account-delete"),
    path("metrics", views_operations.metrics_text, name="metrics"),
    path("operations/", views_operations.page, name="operations"),
    path("operations/moderation/", views_moderation.overview, name="moderation"),
    path("operations/moderation/bots/<slug:slug>/", views_moderation.bot, name="moderate-bot"),
    path("operations/moderation/accounts/<int:pk>/", views_moderation.user, name="moderate-user"),
    path("operations/moderation/files/<slug:digest>/", views_moderation.accept_file, name="accept-file"),
    path("operations/log/", views_moderation.log, name="audit"),
    path("operations/retry/", views_operations.retry_all, name="retry-all"),
    path("operations/matches/<int:pk>/retry/", views_operations.retry_match, name="retry-match"),
    path("operations/checks/<int:pk>/retry/", views_operations.retry_check, name="retry-check"),
    path("results.atom", conditional_page(require_safe(feeds.Results())), name="feed"),
    path("sitemap.xml", conditional_page(views.sitemap), name="sitemap"),
    path("theme/", views.theme, name="theme"),
    path("robots.txt", views.robots, name="robots"),
    # Browsers ask for it whatever a page says.
    path("favicon.ico", views.favicon, name="favicon"),
    path("docs/", include(docs)),
    path("bots/", include("pages.urls_bots")),
]
