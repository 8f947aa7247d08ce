"""Modules that call themselves pure are held to it by the import contract."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = ("skillnet", "documents", "retrieval", "courses", "tutor")
_PURE = re.compile(r"\bPure\.|\(pure\)")


def test_every_module_that_says_it_is_pure_is_in_the_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [contract] = [one for one in contracts if one["name"].startswith("Pure modules")]
    claimed = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if _PURE.search(ast.get_docstring(ast.parse(path.read_text())) or "")
    }
    assert len(claimed) > 50
    assert claimed <= set(contract["source_modules"])
