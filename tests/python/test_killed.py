"""What was flushed is readable after a kill, wherever it strikes."""

import random
import subprocess
import time

import h5py
import numpy as np

from conftest import WRITER


def open_results(path):
    """As a user would after a crash: plainly, else as one who follows a writer."""
    try:
        return h5py.File(path), False
    except OSError:
        return h5py.File(path, swmr=True), True


def test_twenty_kills(tmp_path):
    chance = random.Random(1)
    inside = 0
    for trial in range(20):
        folder = tmp_path / str(trial)
        folder.mkdir()
        with subprocess.Popen([WRITER, folder, "--until-killed"], stdout=subprocess.PIPE) as writer:
            first = writer.stdout.readline()  # something is flushed
            time.sleep(chance.uniform(0, 0.1))
            writer.kill()
            told = first + writer.stdout.read()
        last = told[: told.rindex(b"\n")].split(b"\n")[-1]  # of the whole lines
        rows, frames = map(int, last.split())
        file, was_inside = open_results(folder / "results.h5")
        inside += was_inside
        with file:
            n, m = len(file["time"]), len(file["shapes/time"])
            assert n >= rows and m >= frames
            np.testing.assert_allclose(np.diff(file["time"]), 0.002, atol=1e-9)
            for name, column in file["channels"].items():
                assert np.isfinite(column[:n]).all() and len(column) >= n, name
            for name, group in file["shapes"].items():
                if name == "time":
                    continue
                assert np.isfinite(group["position"][:m]).all()
                assert len(group["tension"]) >= m
            tension = file["channels/tether.tension@max"][:n]
            assert (tension[1:] > 0).all()  # a row that was not written would read as zero
    print(f"{inside} of 20 kills struck inside a flush")
