"""A replay in one HTML file: the viewer, the deck and the frames of a game. It asks nothing of any network.

The page carries a policy that forbids every request, and allows its own scripts by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import Any, Final

from arena.replay import ASSETS

_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./([a-z]+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=function|class|const)", re.MULTILINE)
_MOUNT: Final = """
const told = JSON.parse(document.getElementById("told").textContent);
const sprite = document.getElementById("deck").textContent;
mount(document.getElementById("replay"), told, { sprite });
"""


def make_page(frames: Mapping[str, Any], language: str = "en") -> str:
    """The page, as the text of an HTML file.

    Args:
        frames: what `arena.replay.frames.frames` made of a record.
        language: the language that the frames speak, as a code such as `en`.
    """
    title = " – ".join(str(seat["name"]) for seat in frames["seats"])
    script = bundle() + _MOUNT
    style = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in ("alone.css", "viewer.css"))
    policy = f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; base-uri 'none'"
    deck = (ASSETS / "cards.svg").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="{html.escape(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{html.escape(title)} · Durak Arena</title>
    <style>{style}</style>
  </head>
  <body>
    <main>
      <h1>{html.escape(title)}</h1>
      <div id="replay" class="rv-room"></div>
    </main>
    <script type="application/json" id="told">{_json(frames)}</script>
    <script type="image/svg+xml" id="deck">{deck}</script>
    <script type="module">{script}</script>
  </body>
</html>
"""


def bundle() -> str:
    """The viewer's modules as one, each below those that it imports."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.js"))}
    order = TopologicalSorter({name: _IMPORT.findall(source) for name, source in sources.items()}).static_order()
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", sources[name])) for name in order)


def _json(value: Any) -> str:
    """JSON that can stand within a script element: nothing in it ends the element, or opens a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
