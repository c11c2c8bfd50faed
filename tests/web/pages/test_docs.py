"""The documentation: every page renders, every link leads somewhere, every example runs."""

import re

import pytest
import typer
from django.contrib.staticfiles import finders
from django.urls import reverse

from arena import Bot, reference
from arena.cli import app
from arena.deal import derive_deck
from arena.durak import PRESETS
from arena.failure import Reason
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import play_match
from arena.samples import SAMPLES
from pages import docs

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
AUTHORS_PAGES = (
    *("five-minutes", "thinking", "bot-api", "bot-reference", "wire-format", "limits-and-failures", "testing"),
    *("api", "changelog"),
)
COMMAND = re.compile(r"python -m arena(?:\.cli)? ([a-z]+)([^`|\n]*)")


def bots_in(slug):
    """The examples of a page that are whole bots."""
    text = (docs.folder() / f"{slug}.md").read_text()
    return [code for code in BLOCK.findall(text) if "(Bot)" in code]


EXAMPLES = [(slug, code) for slug in AUTHORS_PAGES for code in bots_in(slug)]


@pytest.mark.parametrize(("slug", "code"), EXAMPLES)
def test_an_example_is_a_bot_that_plays(slug, code):
    names: dict[str, object] = {"__name__": "bot"}
    exec(compile(code, f"{slug}.py", "exec"), names)  # noqa: S102 - the project's own documentation
    made = [
        value for value in names.values() if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    ]
    assert len(made) == 1
    players = [LocalPlayer(made[0]), LocalPlayer(SAMPLES["lowest"].load())]
    limits = Limits(bank=600, move_limit=60)
    result = play_match(players, PRESETS["podkidnoy"], [derive_deck(bytes(32), 1, 0)], limits)
    assert [game.failures for game in result.games] == [(), ()]


def test_there_are_examples():
    assert len(EXAMPLES) >= 9


@pytest.mark.parametrize("slug", AUTHORS_PAGES)
def test_an_example_that_is_no_bot_runs(slug):
    text = (docs.folder() / f"{slug}.md").read_text()
    for code in BLOCK.findall(text):
        if "(Bot)" not in code:
            exec(compile(code, f"{slug}.py", "exec"), {"__name__": "example"})  # noqa: S102 - as above


@pytest.mark.parametrize("path", sorted(docs.folder().glob("*.md")), ids=lambda path: path.name)
def test_a_command_is_one_that_there_is_with_options_that_it_has(path):
    known = {command.name: command for command in typer.main.get_group(app).commands.values()}
    for name, rest in COMMAND.findall(path.read_text()):
        assert name in known, name
        options = {
            option for parameter in known[name].params for option in [*parameter.opts, *parameter.secondary_opts]
        }
        for word in rest.partition("#")[0].split():
            if re.fullmatch(r"--?[a-z][a-z-]*", word):
                assert word in options, f"{name} {word}"


def test_the_reference_of_bots_is_that_of_the_code():
    made = (docs.folder() / "bot-reference.md").read_text()
    assert made == reference.page(), "run `python -m arena.reference docs/bot-reference.md`"
    for name, _, _ in reference.SECTIONS:
        assert f"\n## {name}\n" in made


@pytest.mark.parametrize("slug", docs.slugs())
def test_a_page_is_served(client, slug):
    response = client.get(reverse("docs:page", args=[slug]))
    assert response.status_code == 200
    assert "<h1>" in response.content.decode()


def test_the_index_names_every_page(client):
    shown = client.get(reverse("docs:index")).content.decode()
    for slug in docs.slugs():
        assert reverse("docs:page", args=[slug]) in shown


@pytest.mark.parametrize(
    "slug", ["nothing", "../README", "five-minutes/../../README", "README", "five-minutes.md", "a/b/c"]
)
def test_what_is_no_page_is_not_found(client, slug):
    assert client.get(f"/docs/{slug}/").status_code == 404


@pytest.mark.parametrize("slug", AUTHORS_PAGES)
def test_links_lead_to_pages_and_headings_that_exist(slug):
    page = docs.load(slug)
    for href in re.findall(r'href="([^"]*)"', page.html):
        path, _, anchor = href.partition("#")
        if path == "/api/":
            continue  # the reference, which is no page of the documentation
        target = page if not path else docs.load(path.removeprefix("/docs/").rstrip("/"))
        assert target is not None, href
        if anchor:
            assert f'id="{anchor}"' in target.html, href


def test_every_reason_has_its_paragraph_under_its_own_name():
    html = docs.load("limits-and-failures").html
    for reason in Reason:
        assert f'<h3 id="{reason}">' in html


def test_the_limits_are_those_of_the_code():
    text = (docs.folder() / "limits-and-failures.md").read_text()
    table = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", text, re.MULTILINE))
    limits = Limits()
    assert table == {
        "bank": f"{limits.bank:g} s",
        "move_limit": f"{limits.move_limit:g} s",
        "start_limit": f"{limits.start_limit:g} s",
        "memory_mb": f"{limits.memory_mb} MB",
        "output_bytes": f"{limits.output_bytes // 2**20} MB",
        "forfeit_after": str(limits.forfeit_after),
    }


def test_every_field_of_a_view_is_documented():
    import dataclasses

    from arena import GameInfo, View

    text = (docs.folder() / "bot-api.md").read_text()
    fields = [field.name for kind in (View, GameInfo) for field in dataclasses.fields(kind)]
    for name in [name for name in fields if not name.startswith("_")] + ["unseen", "known", "to_game", "discard"]:
        assert re.search(rf"`(view\.)?{name}\b", text), name


def test_the_python_of_the_sandbox_is_the_one_that_is_told():
    told = (docs.folder() / "bot-api.md").read_text()
    dockerfile = (docs.folder().parent / "sandbox/image/Dockerfile").read_text()
    # Debian 12 is what says which Python and NumPy there are; whoever changes one of the lines changes the other.
    assert ("FROM debian:bookworm-slim" in dockerfile, "Debian 12 has them" in told) == (True, True)
    found = re.search(r"/usr/local/lib/python([\d.]+)/", dockerfile)
    assert f"Python {found[1]} and" in told.replace("\n", " ")


def test_every_kind_of_event_is_documented():
    from arena.durak import EventKind

    for slug in ("bot-api", "wire-format"):
        text = (docs.folder() / f"{slug}.md").read_text()
        for kind in EventKind:
            assert f"`{kind}`" in text or f'["{kind}"' in text, (slug, kind)


def test_html_in_markdown_is_text(tmp_path, settings):
    (tmp_path / "docs").mkdir()
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs" / "page.md").write_text("# A page\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n")
    page = docs.load("page")
    assert "<script>" not in page.html
    assert "href" not in page.html


def test_a_page_in_the_readers_language_is_preferred(tmp_path, settings):
    (tmp_path / "docs").mkdir()
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs" / "page.md").write_text("# A page\n")
    (tmp_path / "docs" / "page.ru.md").write_text("# Страница\n")
    assert (docs.load("page", "ru").title, docs.load("page", "ru").language) == ("Страница", "ru")
    assert docs.load("page", "pl").title == "A page"
    assert docs.slugs() == ["page"]


@pytest.mark.parametrize(
    ("slug", "href", "target"),
    [
        ("page", "other.md", "/docs/other/"),
        ("page", "rules/pairs.md#deal", "/docs/rules/pairs/#deal"),
        ("rules/pairs", "../page.md", "/docs/page/"),
        ("rules/pairs", "podkidnoy.ru.md", "/docs/rules/podkidnoy/"),
        ("page", "#below", "#below"),
        ("page", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_a_link_between_files_is_a_link_between_pages(slug, href, target):
    assert docs.page_link(slug, href) == target


def test_every_ruleset_has_its_page():
    for name in PRESETS:
        assert docs.load(f"rules/{name}") is not None, name


def test_headings_of_one_name_have_anchors_of_their_own(tmp_path, settings):
    (tmp_path / "docs").mkdir()
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs" / "page.md").write_text("# A\n\n## More\n\n## More\n")
    assert [heading.anchor for heading in docs.load("page").headings] == ["more", "more-2"]


def test_the_empty_corner_of_a_table_is_no_heading(tmp_path, settings):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("# Page\n\n| | one |\n|---|---|\n| a | b |\n")
    settings.BASE_DIR = tmp_path
    html = docs.load("page").html
    assert "<th></th>" not in html
    assert html.count("<th>") == 1


@pytest.mark.parametrize("slug", ["a" * 300, "rules/" + "a" * 300])
def test_a_name_that_no_file_can_have_is_no_page(client, slug):
    assert client.get(reverse("docs:page", args=[slug])).status_code == 404


def test_pictures_of_the_site_stand_in_its_documentation():
    there = {path.name for path in (docs.folder() / "images").glob("*.png")}
    shown: dict[str, str] = {}
    for slug in docs.slugs():
        document = docs.load(slug)
        assert document is not None
        for tag in re.findall(r"<img [^>]*>", document.html):
            assert re.search(r'alt="[^"]{10,}"', tag), (slug, tag)
            assert re.search(r'width="\d+" height="\d+" loading="lazy"', tag), (slug, tag)
            address = re.search(r'src="/static/(docs/([a-z-]+\.png))"', tag)
            assert address, (slug, tag)
            assert finders.find(address[1]), (slug, tag)
            shown.setdefault(address[2], slug)
    assert set(shown) <= there
    assert {"replay.png", "leaderboard.png", "report.png", "deal.png"} <= set(shown)
