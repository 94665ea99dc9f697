"""The results folder under test, and ways to read it."""

import csv
import os
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


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    if "HAWSER_RESULTS" in os.environ:
        return pathlib.Path(os.environ["HAWSER_RESULTS"])
    path = tmp_path_factory.mktemp("results")
    subprocess.run([WRITER, path], check=True)
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
