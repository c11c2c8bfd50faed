"""The description for programs and the page for people: complete, and under our own policy."""

import re

import pytest
from django.urls import reverse
from django.utils.html import escape

from api import interface

pytestmark = pytest.mark.django_db


def operations():
    """Every operation as (method, path, description)."""
    return [
        (method, path, operation)
        for path, methods in interface.description()["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_description_is_served(client):
    response = client.get("/api/openapi.json")
    assert response["Content-Type"] == "application/json"
    assert response.json()["openapi"].startswith("3.")
    assert response.json()["info"]["version"] == interface.VERSION
    assert set(response.json()["paths"]) == {path for _, path, _ in operations()}


def test_every_operation_is_described():
    found = operations()
    assert len(found) >= 25
    assert {method for method, _, _ in found} == {"get", "post", "put", "patch", "delete"}
    assert len({operation["operationId"] for _, _, operation in found}) == len(found)
    for method, path, operation in found:
        assert operation["summary"], path
        assert operation["description"], path
        assert operation["tags"], path
        assert {401, 429} <= set(operation["responses"]), path
        assert (method == "get") or {"Token": []} in operation["security"]


def test_every_field_of_a_parameter_has_a_type():
    for _, path, operation in operations():
        for parameter in operation["parameters"]:
            schema = parameter["schema"]
            assert {"type", "anyOf", "enum", "$ref"} & set(schema), (path, parameter)


def test_the_page_shows_every_operation_and_shape(client):
    response = client.get(reverse("api:api-root"))
    shown = response.content.decode()
    for method, path, operation in operations():
        assert f"<code>{method.upper()} {path}</code>" in shown
        assert escape(operation["summary"]) in shown
    for anchor in re.findall(r'href="#([^"]+)"', shown):
        assert f'id="{anchor}"' in shown, anchor
    ids = re.findall(r'\bid="([^"]+)"', shown)
    assert len(ids) == len(set(ids))


def test_the_page_needs_nothing_from_elsewhere(client):
    response = client.get(reverse("api:api-root"))
    shown = response.content.decode()
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', shown)
    assert "<style" not in shown
    assert " style=" not in shown
    assert not re.findall(r"<script(?![^>]*\bsrc=)", shown)
    assert "'unsafe" not in response["Content-Security-Policy"]
