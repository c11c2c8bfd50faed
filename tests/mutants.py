"""Are the tests of the rules worth their name? Changes the engine in one small way after another and runs them.

    python -m tests.mutants                      all modules of arena/durak
    python -m tests.mutants moves.py game.py     some of them
    python -m tests.mutants game.py --lines 200-260

A change that no test notices is a survivor. Either a test is missing, or the changed engine is the same engine; the
survivors for which the latter has been thought through stand in EQUIVALENT with the reason, and are tried again with
`--again` alone; the rest makes the command end with 1. What is changed: comparisons, arithmetic, bit and boolean
operators, numbers, truth values, conditions, calls made for their effect, returned values and the ends of loops. What
is not: annotations, documentation and the sentences of errors.

Works on a copy of the sources; each change is tried in a forked process that has pytest loaded already. The quick tests
of the module come first, and only a change that survives these meets the long ones.
"""

import argparse
import ast
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis  # noqa: F401  loaded here once, for every forked process
import pytest

from tests.mutants_known import EQUIVALENT

TOP = Path(__file__).parents[1]
ENGINE = Path("arena/durak")
TESTS = Path("tests/arena/durak")
# What plays random games, long.
LONG = ("test_record.py", "test_naive.py", "test_properties.py", "test_endgames.py")
# What is about the module itself is quick to fail, and comes first.
FIRST = {
    "_choices.py": ("test_choices.py", "test_throw_in.py", "test_defence.py"),
    "_compact.py": ("test_record.py",),
    "_position.py": ("test_position.py",),
    "_reasons.py": ("test_choices.py", "test_defence.py", "test_record.py"),
    "_state.py": ("test_position.py", "test_end_of_bout.py", "test_deal.py"),
    "cards.py": ("test_cards.py",),
    "events.py": ("test_events.py",),
    "game.py": ("test_end_of_bout.py", "test_end_of_game.py", "test_transfer.py", "test_pairs.py"),
    "moves.py": ("test_moves.py",),
    "outcome.py": ("test_end_of_game.py",),
    "record.py": ("test_record.py",),
    "ruleset.py": ("test_ruleset.py",),
    "seating.py": ("test_pairs.py", "test_deal.py"),
}
# An endless loop is noticed by this, in seconds of processor time: several times what the tests need.
TIME_LIMIT, LONG_TIME_LIMIT = 8, 120
MEMORY_LIMIT = 3 << 30

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Mod: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}


@dataclass(frozen=True)
class Mutant:
    """One change: the line and the function where it is, what it does in a few words, and the whole changed module."""

    line: int
    function: str
    change: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every change of a module, one at a time, in the order of the tree."""
    tree = ast.parse(source)
    skipped = _not_run(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for change, apply in _changes(node):
            changed = ast.parse(source)
            apply(list(ast.walk(changed))[index])
            line = getattr(node, "lineno", 0)
            around = [it.name for it in functions if it.lineno <= line <= (it.end_lineno or it.lineno)]
            yield Mutant(line, around[-1] if around else "", change, ast.unparse(ast.fix_missing_locations(changed)))


def _not_run(tree: ast.Module) -> set[int]:
    """The nodes below annotations: they are there for readers and the type checker."""
    found: set[int] = set()
    for node in ast.walk(tree):
        notes: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef):
            notes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            notes.append(node.annotation)
        found.update(id(below) for note in notes if note is not None for below in ast.walk(note))
    return found


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for comparison in COMPARISONS.get(type(node.ops[0]), ()):
            yield _named(node.ops[0], comparison), _setting(ops=[comparison()])
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for operator in OPERATORS.get(type(node.op), ()):
            yield _named(node.op, operator), _setting(op=operator())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield _named(node.op, other), _setting(op=other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", _setting(operand=ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value} -> {not node.value}", _setting(value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield f"{node.value} -> {node.value + 1}", _setting(value=node.value + 1)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call dropped", _setting(value=ast.Constant(None))
    elif isinstance(node, ast.Return) and not (node.value is None or isinstance(node.value, ast.Constant)):
        yield "returns None", _setting(value=ast.Constant(None))
    if isinstance(node, ast.If | ast.IfExp):
        yield "if False", _setting(test=ast.Constant(False))
        yield "if True", _setting(test=ast.Constant(True))
    for field, body in ast.iter_fields(node):
        if isinstance(body, list):
            for at, statement in enumerate(body):
                if isinstance(statement, ast.Continue | ast.Break):
                    end: type[ast.stmt] = ast.Break if isinstance(statement, ast.Continue) else ast.Continue
                    yield f"{_named(statement, end)} in line {statement.lineno}", _placing(field, at, end())


def _named(one: ast.AST, other: type[ast.AST]) -> str:
    return f"{type(one).__name__} -> {other.__name__}"


def _setting(**fields: object) -> Callable[[ast.AST], None]:
    def apply(node: ast.AST) -> None:
        for name, value in fields.items():
            setattr(node, name, value)

    return apply


def _placing(field: str, at: int, statement: ast.stmt) -> Callable[[ast.AST], None]:
    def apply(node: ast.AST) -> None:
        getattr(node, field)[at] = statement

    return apply


def notices(top: Path, tests: list[str], limit: int = LONG_TIME_LIMIT) -> bool:
    """Whether one of these tests fails, never ends or takes the memory, in a process of its own. `limit` is its
    processor time, in seconds."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        signal.alarm(20 * limit)  # a wait without end costs no processor time
        _forget_the_original()
        os.chdir(top)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        options = ["-c", "mutants.ini", "-q", "-x", "-p", "no:cacheprovider"]
        os._exit(0 if pytest.main([*options, *tests]) == 0 else 1)
    return os.waitpid(child, 0)[1] != 0


def _forget_the_original() -> None:
    """The child must find the copy, by whatever way this process was started."""
    sys.path[:] = [place for place in sys.path if Path(place).resolve() not in (TOP, TOP / "platform")]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("arena", "sandbox", "tests")]:
        del sys.modules[name]


def copied(folder: Path) -> Path:
    """The sources that the tests of the rules read, without compiled files, in a folder of their own."""
    top = folder / "house"
    for part in ("arena", "sandbox", "docs/rules", "tests/arena"):
        shutil.copytree(TOP / part, top / part, ignore=shutil.ignore_patterns("__pycache__"))
    (top / "mutants.ini").write_text(
        "[pytest]\npythonpath = .\nconsider_namespace_packages = true\naddopts = --import-mode=importlib\n"
        "filterwarnings =\n    error\n    ignore::pytest.PytestAssertRewriteWarning\n"
        "markers =\n    docker: not run here\n    alone: not run here\n"
    )
    return top


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = [path.name for path in sorted((TOP / ENGINE).glob("*.py")) if path.name != "__init__.py"]
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {' '.join(every)}")
    parser.add_argument("--lines", default="", help="FIRST-LAST: only the changes in these lines of the module")
    parser.add_argument("--quick", action="store_true", help="leave the long tests out: more survivors, soon")
    parser.add_argument("--again", action="store_true", help="try the changes known as equivalent as well")
    chosen = parser.parse_args()
    if unknown := set(chosen.modules) - set(every):
        parser.error(f"{', '.join(sorted(unknown))}: no such module; there are {' '.join(every)}")
    first, last = (int(number) for number in (chosen.lines or "0-999999").split("-"))
    sys.dont_write_bytecode = True
    started = time.monotonic()
    tried, survivors, known = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="durak-mutants-") as folder:
        top = copied(Path(folder))
        quick = [str(TESTS / path.name) for path in sorted((top / TESTS).glob("test_*.py")) if path.name not in LONG]
        if notices(top, quick if chosen.quick else [*quick, *(str(TESTS / name) for name in LONG)]):
            print("The tests fail before anything is changed: nothing can be learned from them.", file=sys.stderr)
            return 2
        for module in chosen.modules or every:
            path = top / ENGINE / module
            source = path.read_text()
            lines = source.splitlines()
            steps = [([str(TESTS / name) for name in FIRST[module]], TIME_LIMIT), (quick, TIME_LIMIT)]
            if not chosen.quick:
                steps += [([str(TESTS / name)], LONG_TIME_LIMIT) for name in LONG]
            for mutant in mutants(source):
                if not first <= mutant.line <= last:
                    continue
                tried += 1
                text = lines[mutant.line - 1].strip()
                reason = EQUIVALENT.get((module, mutant.function, text, mutant.change))
                path.write_text(mutant.source)
                if (reason is None or chosen.again) and any(notices(top, *step) for step in steps):
                    continue
                survivors, known = survivors + (reason is None), known + (reason is not None)
                place = f"{module}:{mutant.line} {mutant.function}"
                print(f"{place}: {mutant.change} | {text}{f'  [{reason}]' if reason else ''}", flush=True)
            path.write_text(source)
            print(f"{module}: done; {tried} changes so far, {known} survivors known, {survivors} not", flush=True)
    print(
        f"{tried} changes, {tried - known - survivors} noticed, {known} equivalent, {survivors} not explained, "
        f"{time.monotonic() - started:.0f} s"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
