"""Lists come in pages, so that every answer has a bounded size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from ninja import Field, Schema

T = TypeVar("T")

SLUG = r"^[-a-zA-Z0-9_]+$"
LARGEST = 2**63 - 1
"""The largest number that a row can have."""

Slug = Annotated[str, Field(pattern=SLUG, max_length=100)]
Number = Annotated[int, Field(ge=1, le=LARGEST)]


class Paging(Schema):
    """Which page of a list."""

    page: int = Field(1, ge=1, le=1_000_000, description="Which page, from 1. A page after the last one is empty.")
    size: int = Field(50, ge=1, le=100, description="How many items a page has.")


class PageOf(Schema, Generic[T]):
    """One page of a list."""

    count: int = Field(description="How many items the whole list has.")
    page: int
    pages: int = Field(description="How many pages there are; none of an empty list.")
    items: list[T]


def page_of(found: QuerySet[Any] | Sequence[Any], paging: Paging, convert: Callable[[Any], Any]) -> dict[str, Any]:
    """One page of a query (two queries) or of a list, each item converted."""
    count = found.count() if isinstance(found, QuerySet) else len(found)
    start = (paging.page - 1) * paging.size
    items = [convert(item) for item in found[start : start + paging.size]] if start < count else []
    return {"count": count, "page": paging.page, "pages": -(-count // paging.size), "items": items}
