"""The reference of the interface as a page: every operation with its parameters and answers, from the description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Value:
    """A parameter, or a field of a body."""

    name: str
    kind: str
    """Its type, and what it may be."""
    place: str
    """`path`, `query` or `body`."""
    required: bool
    text: str
    anchor: str = ""
    """Of the shape that it has, where it has one."""


@dataclass(frozen=True)
class Answer:
    """What may come back."""

    status: str
    kind: str
    """The name of a shape, of a kind of file, or what the status means."""
    anchor: str = ""


@dataclass(frozen=True)
class Operation:
    """One operation of the interface."""

    anchor: str
    method: str
    path: str
    summary: str
    text: str
    needs: str
    """`token` where it needs one, else empty."""
    values: Sequence[Value]
    answers: Sequence[Answer]
    refusals: Sequence[str]
    """Statuses with which it refuses; all of them come with the same shape."""


@dataclass(frozen=True)
class Shape:
    """What an answer looks like."""

    anchor: str
    name: str
    text: str
    fields: Sequence[Value]


def page(request: HttpRequest, description: Mapping[str, Any]) -> HttpResponse:
    """The page."""
    context = {
        "groups": groups(description),
        "shapes": shapes(description),
        "version": description["info"]["version"],
        "problem": _anchor("Problem"),
    }
    return render(request, "api/reference.html", context)


def groups(description: Mapping[str, Any]) -> list[tuple[str, list[Operation]]]:
    """The operations by their tag, in the order of the description."""
    found: dict[str, list[Operation]] = {}
    for path, methods in description["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                found.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    return list(found.items())


def shapes(description: Mapping[str, Any]) -> list[Shape]:
    """The shapes that answers and bodies are made of, by name."""
    found = []
    for name, schema in sorted(description["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = [
            Value(field, _kind(about), "", field in required, str(about.get("description", "")), _link(about))
            for field, about in schema.get("properties", {}).items()
        ]
        found.append(Shape(_anchor(name), _plain(name), str(schema.get("description", "")), fields))
    return found


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Operation:
    values = [
        Value(
            about["name"],
            _kind(about["schema"]),
            about["in"],
            bool(about["required"]),
            str(about.get("description", "")),
        )
        for about in operation["parameters"]
    ]
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content["schema"]
        if "$ref" in schema:
            values.append(Value("body", _kind(schema), media, True, "", _link(schema)))
        for name, about in schema.get("properties", {}).items():
            values.append(Value(name, _kind(about), media, True, str(about.get("description", ""))))
    security = operation.get("security", [])
    return Operation(
        anchor=slugify(operation["operationId"]),
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        text=str(operation.get("description", "")),
        needs="token" if security and {} not in security else "",
        values=values,
        answers=[_answer(str(status), about) for status, about in operation["responses"].items() if int(status) < 400],
        refusals=sorted(str(status) for status in operation["responses"] if int(status) >= 400),
    )


def _answer(status: str, about: Mapping[str, Any]) -> Answer:
    for media, content in about.get("content", {}).items():
        schema = content.get("schema", {})
        link = _link(schema)
        return Answer(status, _kind(schema) if link else str(media), link)
    return Answer(status, str(about["description"]))


def _link(schema: Mapping[str, Any]) -> str:
    """Where on the page the shape stands that a value has, or that the items of a list have."""
    for option in (schema, schema.get("items", {}), *schema.get("anyOf", ())):
        if "$ref" in option:
            return _anchor(option["$ref"].rpartition("/")[2])
    return ""


def _kind(schema: Mapping[str, Any]) -> str:
    """A type in words: `integer from 1 to 100, or null`."""
    if "$ref" in schema:
        return _plain(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        kinds = [_kind(option) for option in schema["anyOf"]]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("format") or schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None and high < 10**9:
        kind += f" from {low} to {high}"
    if "maxLength" in schema:
        kind += f" of at most {schema['maxLength']} characters"
    if schema.get("default") not in (None, ""):
        kind += f", else {schema['default']}"
    return kind


def _plain(name: str) -> str:
    """The name of a shape without the brackets that a page of something has."""
    return name.replace("PageOf_", "page of ").strip("_")


def _anchor(name: str) -> str:
    return f"shape-{slugify(name)}"
