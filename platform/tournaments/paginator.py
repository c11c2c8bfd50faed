"""Pages of long lists: what is counted already is not counted again, what stands near the end is read from there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

if TYPE_CHECKING:
    PaginatorBase = Paginator[Any]
else:
    PaginatorBase = Paginator


class LongPaginator(PaginatorBase):
    """A paginator for a query with an order, over some 100,000 rows and more.

    To skip rows a database walks over them. The pages of the second half are therefore read backwards from the end, so
    that the ends of a list, which is where readers are, cost nothing, and no page more than half of it.
    """

    def __init__(self, found: QuerySet[Any], per_page: int, count: int | None = None) -> None:
        """Args:
        found: in an order in which no two rows are equal.
        count: how many rows it has, where that is known.
        """
        super().__init__(found, per_page)
        if count is not None:
            self.__dict__["count"] = count  # a cached property, so this is where it is looked for

    def page(self, number: int | str) -> Page[Any]:
        """One page, by its number from 1.

        Raises:
            InvalidPage: there is no such page.
        """
        number = self.validate_number(number)
        first = (number - 1) * self.per_page
        end = min(first + self.per_page, self.count)
        found: Any = self.object_list
        rows: Sequence[Any]
        if first <= self.count / 2:
            rows = list(found[first:end])
        else:
            rows = list(found.reverse()[self.count - end : self.count - first])[::-1]
        return Page(rows, number, self)
