"""Home, leaderboard, documentation, account, and the small addresses every site has."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.models import User
from accounts.moderation import why_hidden
from pages import design, docs, operations, selectors
from pages import sitemap as addresses

THEMES = ("light", "dark")
YEAR_SECONDS = 365 * 24 * 60 * 60


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, who is on top, what was played last; with `part`, the latter alone, for the page to follow it."""
    if request.GET.get("part") == "newest":
        return render(request, "pages/_newest.html", {"newest": selectors.newest()})
    return render(request, "pages/home.html", {"home": selectors.home()})


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The table of the ladder."""
    board = selectors.leaderboard(request.GET.get("q", ""), request.GET.get("page"))
    return render(request, "pages/leaderboard.html", {"board": board})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, what it keeps of its readers, and how it does just now."""
    part = request.GET.get("part") == "status"
    return render(request, "pages/_status.html" if part else "pages/about.html", {"status": operations.status()})


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """What the site knows about the one who is signed in, and where to change it."""
    user = cast("User", request.user)
    context = {"bots": user.bots.count(), "why_hidden": why_hidden(user, user.hidden_name)}
    return render(request, "accounts/overview.html", context)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or what the reader's system says; a cookie keeps the choice. Works without JavaScript."""
    there = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(there, {request.get_host()}, require_https=request.is_secure()):
        there = reverse("home")
    response = redirect(there)
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR_SECONDS, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie("theme", samesite="Lax")
    return response


@require_safe
def docs_index(request: HttpRequest) -> HttpResponse:
    """The pages of the documentation, by section."""
    return render(request, "docs/index.html", {"sections": docs.sections()})


@require_safe
def docs_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One page of the documentation."""
    page = docs.load(slug)
    if page is None:
        raise Http404
    context = {"page": page, "sections": docs.sections()}
    if slug == design.SLUG:
        return render(request, "docs/design_system.html", context | design.context())
    return render(request, "docs/page.html", context)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view takes a request
    """Where the picture of the site is, which pages name themselves."""
    return redirect(static("logo.svg"))


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """Crawlers may read all that is public; accounts and polled fragments are of no use to them."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in ("/accounts/", "/account/", "/admin/", "/operations/"))]
    lines += [f"Disallow: {path}" for path in ("/*/progress/", "/*/files/")]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """What search engines should know."""
    text = addresses.render(request.build_absolute_uri("/").rstrip("/"))
    return HttpResponse(text, content_type="application/xml; charset=utf-8")
