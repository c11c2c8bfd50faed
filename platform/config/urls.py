"""The addresses of the site. Each app brings its own, written out from the root."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from api import interface
from api.health import health

admin.autodiscover()
# Staff sign in where everybody does: with the second factor and the limits on attempts.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "pages.misfortune.server_error"

urlpatterns = [
    path("healthz", health, name="health"),
    path("", include("pages.urls")),
    path("", include("tournaments.urls")),
    path("", include("replays.urls")),
    path("account/", include("accounts.urls")),
    path("", include("notices.urls")),
    path("api/", include(interface.urls)),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
