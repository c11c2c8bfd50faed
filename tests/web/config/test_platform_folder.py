"""`platform` is also a module of the standard library: the folder must stay a plain folder of source roots."""

import importlib
import sys
from pathlib import Path

PLATFORM = Path(__file__).resolve().parents[3] / "platform"


def test_no_python_file_lies_directly_in_the_folder():
    assert PLATFORM.is_dir()
    assert [path.name for path in PLATFORM.glob("*.py*")] == []


def test_no_child_hides_a_module_of_the_standard_library():
    # A folder without any Python file, such as `locale`, hides nothing: a module further down the path goes before it.
    children = {path.name for path in PLATFORM.iterdir() if path.is_dir() and next(path.glob("*.py"), None)}
    assert {"bots", "config", "tournaments"} <= children
    assert children & set(sys.stdlib_module_names) == set()


def test_the_name_means_the_standard_library():
    module = importlib.import_module("platform")
    assert module.python_version().startswith("3.")
    assert PLATFORM not in Path(module.__file__).parents
