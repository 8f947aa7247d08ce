"""The containers are given every setting that the documentation names."""

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
# Of the bundled servers and `make run`, which no container uses, and of more than one web process on a machine.
NOT_OF_CONTAINERS = {"HOST", "PORT", "SKILLNET_SHARED_BUFFERS", "PROMETHEUS_MULTIPROC_DIR"}


def test_compose_passes_every_documented_setting_on():
    first_cells = re.findall(r"^\| (`[A-Z][^|]*) \|", (PROJECT / "README.md").read_text(), re.MULTILINE)
    documented = {name for cell in first_cells for name in re.findall(r"`([A-Z0-9_]+)`", cell)}
    passed_on = set(re.findall(r"^ +([A-Z0-9_]+):", (PROJECT / "compose.yaml").read_text(), re.MULTILINE))
    assert len(documented) > 60
    assert documented - NOT_OF_CONTAINERS - passed_on == set()
