"""Where the static files of a live site come from: under names that carry a hash of their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTS = (
    r"""(?m)(?P<matched>^(?P<what>(?:import|export)\b[^"';]*)"(?P<url>\./[^"]+\.js)";)""",
    """%(what)s"%(url)s";""",
)
"""An import as our modules write it, at the beginning of a line, and what becomes of it."""


class HashedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """As WhiteNoise does it, and the modules that a module imports are named by their hash too.

    Otherwise a new version of a page's module could be run with an old one of those that it imports. Django's own
    switch for this (`support_js_module_import_aggregation`) also takes comments of packages for imports, and gives up.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (IMPORTS,)))
