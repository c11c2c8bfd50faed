"""All of `/bots/`: what everyone sees comes from here, since it tells of ratings; the author's part from `bots`."""

from django.urls import path
from django.views.decorators.http import conditional_page, require_safe

from bots.urls import author
from pages import feeds, views_author, views_bots

app_name = "bots"

urlpatterns = [
    path("", views_bots.index, name="list"),
    path("mine/failures/", views_author.failed, name="failures"),
    *author,
    path("<slug:slug>/", views_bots.detail, name="detail"),
    path("<slug:slug>/times/", views_author.times, name="times"),
    path("<slug:slug>/versions/compare/", views_author.choose_versions, name="choose-versions"),
    path("<slug:slug>/versions/<int:first>/vs/<int:second>/", views_author.compare_versions, name="compare-versions"),
    path("<slug:slug>/vs/<slug:other>/", views_bots.compare, name="compare"),
    path("<slug:slug>/results.atom", conditional_page(require_safe(feeds.BotResults())), name="feed"),
]
