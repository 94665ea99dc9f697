#!/usr/bin/env python3
"""tools/compare-builds.py BEFORE AFTER [scene...]: do two builds of hawser give the same results?

BEFORE and AFTER are programs (build/hawser). Each runs every shipped scene, or those named; the columns of
channels.csv that both have are compared. Prints for each scene "same" (bit for bit) or the largest difference,
relative to the largest value of any column of that unit, over the first 100 steps and over the whole run. Fails when the first 100
steps differ by more than the tolerance (--tolerance, 1e-10), or when a run that met its expectations no longer
does. Columns of work and energy are left out with --no-energy.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = 100


def run(program, scene, folder):
    """Exit code, rows of channels.csv by column name, length of a step."""
    done = subprocess.run([program, "run", str(scene), "-o", str(folder), "--format", "csv", "--quiet"],
                          capture_output=True, text=True)
    table = folder / "channels.csv"
    if not table.exists():
        return done.returncode, {}, 0, done.stderr
    with open(table, newline="") as file:
        lines = [line for line in csv.reader(file) if not line[0].startswith("#")]
    columns = {name: [row[i] for row in lines[1:]] for i, name in enumerate(lines[0])}
    summary = json.loads((folder / "summary.json").read_text())
    return done.returncode, columns, summary, done.stderr


def unit(column):
    return column[column.rfind("["):]


def differences(a, b, columns, rows):
    """Largest |a - b| over the first rows, by the largest |a| of all columns of that unit; and its column."""
    scale = {}
    for c in columns:
        scale[unit(c)] = max([scale.get(unit(c), 0)] + [abs(float(v)) for v in a[c]])
    return max((max((abs(float(p) - float(q)) for p, q in zip(a[c][:rows], b[c][:rows])), default=0)
                / (scale[unit(c)] or 1), c) for c in columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("--no-energy", action="store_true")
    options = parser.parse_args()
    shipped = sorted((Path(__file__).resolve().parent.parent / "scenes").glob("*.yaml"))
    scenes = options.scenes or shipped
    failed = 0
    for scene in scenes:
        with tempfile.TemporaryDirectory() as tmp:
            code_a, a, summary, _ = run(options.before, scene, Path(tmp) / "a")
            code_b, b, _, error = run(options.after, scene, Path(tmp) / "b")
        name = Path(scene).stem
        if code_b != code_a and code_b != 0:
            print(f"{name:32} exit code {code_a} before, {code_b} after: {error.strip().splitlines()[-1:]}")
            failed += 1
            continue
        shared = [c for c in a if c in b and not (options.no_energy and c.startswith(("energy", "work")))]
        missing = sorted(set(a) ^ set(b))
        time = next(iter(a.values()), [])
        end, steps = float(time[-1]) if time else 0, summary["counters"]["steps"] or 1
        first = sum(float(t) <= STEPS * end / steps * (1 + 1e-9) for t in time)
        if all(a[c] == b[c] for c in shared) and not missing:
            print(f"{name:32} same")
            continue
        early, whole = differences(a, b, shared, first), differences(a, b, shared, None)
        bad = early[0] > options.tolerance or missing or any(len(a[c]) != len(b[c]) for c in shared)
        failed += bool(bad)
        print(f"{name:32} {early[0]:.1e} in {first} rows ({early[1]}), whole run {whole[0]:.1e} ({whole[1]})"
              + (f", columns {missing} in one only" if missing else "") + (" FAILED" if bad else ""))
    print(f"{len(scenes) - failed} of {len(scenes)} scenes agree")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
