"""Counters of several processes, each tried in processes of its own: the library decides when it is loaded."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SETUP = "import django; django.setup(); from skillnet import metrics; "


def run(code: str, **environment: str) -> str:
    """What `code` prints, in a new interpreter with the product set up."""
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "skillnet.settings.test", **environment}
    done = subprocess.run([sys.executable, "-c", SETUP + code], cwd=PROJECT, env=given, capture_output=True, check=True)
    return done.stdout.decode()


def test_processes_that_share_a_folder_add_up(tmp_path: Path):
    shared = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for times in (2, 3):
        run(f"[metrics.MODEL_FAILURES.labels('chat').inc() for _ in range({times})]", **shared)
    page = run("print(metrics.exposition().decode())", **shared)
    assert 'skillnet_model_failures_total{model="chat"} 5.0' in page


def test_a_worker_has_a_page_of_its_own():
    code = """
import socket, urllib.request
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
metrics.MODEL_FAILURES.labels("embedder").inc()
metrics.serve(port)
print(urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
"""
    page = run(f"exec({code!r})")
    assert 'skillnet_model_failures_total{model="embedder"} 1.0' in page
