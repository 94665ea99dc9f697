"""The results folder under test, and ways to read it."""

import csv
import pathlib
import re
import subprocess
import sys

import h5py
import numpy as np
import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).parents[2]
WRITER = ROOT / "build/tests/result_writer"
RUN = [ROOT / "build/hawser", "run", "--quiet"]


@pytest.fixture(scope="session", params=["writer", "pendulum-westin-irani", "flying-rope"])
def folder(request, tmp_path_factory):
    """Results of the sinks alone, or of a shipped scene run by the program."""
    path = tmp_path_factory.mktemp("results") / "out"
    if request.param == "writer":
        path.mkdir()
        subprocess.run([WRITER, path], check=True)
    else:
        command = [*RUN, request.param, "--format", "csv,h5,vtk", "-o", path]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


class Table:
    """channels.csv: names, units and columns by name; `time` is one of them."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file, strict=True)
        parts = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", name).groups() for name in header]
        self.names = [name for name, _ in parts]
        self.units = {name: unit or "" for name, unit in parts}
        values = np.array(rows, dtype=float)
        self.columns = {name: values[:, i] for i, name in enumerate(self.names)}

    def __getitem__(self, name):
        return self.columns[name]


@pytest.fixture(scope="session")
def table(folder):
    return Table(folder / "channels.csv")


@pytest.fixture(scope="session")
def h5(folder):
    with h5py.File(folder / "results.h5") as file:
        yield file
