# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The program that goes to the node, run here by an interpreter that has nothing installed."""

import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest

from jobgate import executor


def run(folder, payload, python=sys.executable):
    carried = executor._package_of(Path(cloudpickle.__file__).parent)
    (folder / "task.pyz").write_bytes(executor._program(payload, carried))
    # -I: neither this environment's packages nor the user's
    subprocess.run([python, "-I", "task.pyz"], cwd=folder, check=True, timeout=60)
    return pickle.loads((folder / "task.result").read_bytes())


def test_a_function_with_its_surroundings_comes_back_with_its_value(tmp_path):
    base = 40
    result = run(tmp_path, cloudpickle.dumps((lambda n, *, more: base + n + more, (1,), {"more": 1}), protocol=4))
    assert result["kind"] == "value"
    assert cloudpickle.loads(result["value"]) == 42
    assert not (tmp_path / "task.result.part").exists()


def test_what_is_raised_comes_back_with_where(tmp_path):
    def bad():
        raise KeyError("absent")

    result = run(tmp_path, cloudpickle.dumps((bad, (), {}), protocol=4))
    assert result["kind"] == "error"
    assert isinstance(cloudpickle.loads(result["error"]), KeyError)
    assert "in bad" in result["told"]


def test_what_cannot_come_back_is_told_in_words(tmp_path):
    result = run(tmp_path, cloudpickle.dumps((lambda: __import__("threading").Lock(), (), {}), protocol=4))
    assert result["kind"] == "error"
    assert result["name"] == "TypeError"
    assert "pickle" in result["says"]


def test_another_version_of_python_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(executor.sys, "version_info", (2, 7, 18, "final", 0))
    program = executor._program(b"", {})
    monkeypatch.undo()
    (tmp_path / "task.pyz").write_bytes(program)
    subprocess.run([sys.executable, "-I", "task.pyz"], cwd=tmp_path, check=True, timeout=60)
    result = pickle.loads((tmp_path / "task.result").read_bytes())
    assert result["kind"] == "version"
    assert tuple(result["version"][:2]) == sys.version_info[:2]


def test_an_ended_program_leaves_no_half_result(tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        run(tmp_path, cloudpickle.dumps((lambda: __import__("os")._exit(3), (), {}), protocol=4))
    assert not (tmp_path / "task.result").exists()
