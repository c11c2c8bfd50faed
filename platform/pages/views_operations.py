"""The operations page, for staff alone."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bots.models import BotVersion
from pages import metrics, operations
from tournaments.models import Match
from tournaments.queue import QueueError
from upkeep import audit

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def staff_only(view: View[P]) -> View[P]:
    """A view for staff: visitors are asked to sign in, everybody else is refused."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_staff:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return login_required(guarded)  # type: ignore[return-value]


@staff_only
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Queue, workers, what was set aside, recent faults."""
    return render(request, "pages/operations.html", {"operations": operations.read()})


@require_safe
@never_cache
def metrics_text(request: HttpRequest) -> HttpResponse:
    """The numbers for Prometheus; for everybody who may not read them, nothing is here."""
    if not metrics.is_open_to(request):
        raise Http404
    return HttpResponse(metrics.text(), content_type=metrics.CONTENT_TYPE)


@staff_only
@require_POST
def retry_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Try one parked match again."""
    try:
        operations.retry_match(pk)
    except Match.DoesNotExist:
        raise Http404 from None
    except QueueError as error:
        notes.error(request, str(error))
    else:
        audit.record(request.user, "retry match", Match.objects.get(pk=pk))
        notes.success(request, _("The match waits again, with all its attempts."))
    return redirect("operations")


@staff_only
@require_POST
def retry_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Check one parked version again."""
    if operations.retry_checks(pk):
        audit.record(request.user, "retry check", BotVersion.objects.get(pk=pk))
        notes.success(request, _("The version waits for its check again, with all its attempts."))
    else:
        notes.error(request, _("This version has not been set aside, so it need not be checked again."))
    return redirect("operations")


@staff_only
@require_POST
def retry_all(request: HttpRequest) -> HttpResponse:
    """Try everything again that was set aside, after the cause has been put right."""
    count = operations.retry_all_matches() + operations.retry_checks()
    audit.write(request.user, "retry everything", target_name=f"{count} matches and checks")
    words = ngettext("%(count)d waits again.", "%(count)d wait again.", count) % {"count": count}
    notes.success(request, words)
    return redirect("operations")
