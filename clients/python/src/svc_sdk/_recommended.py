"""Products of a placement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from ._conditions import user_of
from ._values import json_of

if TYPE_CHECKING:
    from ._client import Client


class Recommended:
    """The products of a placement, as :meth:`Client.recommend` returns them.

    - ``recommendation_id``: None if the service was not asked, or did not answer
    - ``placement``, ``variant``: what was asked for
    - ``items``: the products in their order, each with ``productId``, ``itemId``, ``score``, ``strategy`` (None if only
      a pin has brought it), ``pinned``, and what a page shows in ``product``: ``title``, ``link``, ``imageLink``,
      ``price``, ``salePrice`` and ``currency``
    """

    def __init__(
        self,
        client: "Client",
        context: Optional[Mapping[str, Any]],
        placement: str,
        variant: str,
        answer: Mapping[str, Any],
    ) -> None:
        self._client = client
        self._context = context
        self._was_shown = False
        self.placement = placement
        self.variant = variant
        self.recommendation_id: Optional[str] = answer.get("recommendationId")
        self.items: List[Dict[str, Any]] = answer.get("items", [])

    def shown(self) -> None:
        """Reports that the visitor sees the products, once. Without products, it does nothing."""
        if self.items and not self._was_shown:
            self._was_shown = True
            self._tell("shown")

    def clicked(self, product_id: str) -> None:
        """Reports that the visitor has chosen a product."""
        self._tell("clicked", productId=product_id)

    def _tell(self, what: str, **more: str) -> None:
        named = {"placement": self.placement, "recommendationId": self.recommendation_id, **more}
        self._client.track(f"recommendation_{what}", self._context, properties=named)


def request_of(
    sdk_key: str,
    placement: str,
    variant: str,
    context: Optional[Mapping[str, Any]],
    *,
    product_ids: Sequence[str],
    category: Optional[str],
    filter: Optional[Mapping[str, Any]],
    exclude: Sequence[str],
    limit: Optional[int],
    recent: Sequence[Mapping[str, str]],
) -> str:
    """The body of a request for recommendations."""
    unit = user_of(dict(context)) if isinstance(context, Mapping) else None
    body = {
        "sdkKey": sdk_key,
        "placement": placement,
        "variant": variant,
        "unit": unit,
        "productIds": list(product_ids),
        "category": category,
        "filter": filter,
        "exclude": list(exclude),
        "limit": limit,
        "recent": [dict(action) for action in recent],
    }
    # Ids of databases and libraries have types of their own.
    return json.dumps({name: json_of(value) for name, value in body.items() if value is not None})


def answer_in(text: str) -> Dict[str, Any]:
    """The answer of the service. Raises if it is none."""
    answer = json.loads(text)
    if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
        raise ValueError("the answer has no list of items")
    return answer
