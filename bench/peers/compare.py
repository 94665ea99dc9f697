"""Runs the same cases with Hawser and with its peers and prints one table.

Peers run one after the other, each case in a process of its own; CPU time of one core. A peer's time
counts when its motion is Hawser's: the recorded position within 3 % of the way moved.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

from cases import Pendulum

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = {
    "net": ["mujoco"],
    "hinges": ["mujoco", "dart"],
    "balls": ["mujoco", "dart"],
    "reeving": ["mujoco"],
    "blocks": ["mujoco"],
    "mooring-wet": ["moordyn"],
}
PENDULUM_PEERS = ["mujoco", "exudyn", "moordyn", "pyelastica"]
PACKAGES = {"mujoco": "mujoco", "dart": "dartpy", "exudyn": "exudyn", "moordyn": "moordyn", "pyelastica": "pyelastica"}
ALLOWED = 0.03  # deviation of a position, by the way moved
ERRORS = [10.0, 1.0]  # mean errors of the tip's height that are asked of the pendulum [mm]


def say(text):
    print(text, file=sys.stderr, flush=True)


def version(peer):
    from importlib.metadata import PackageNotFoundError, version as of
    try:
        return of(PACKAGES[peer])
    except PackageNotFoundError:
        return None


def not_installed(peer):
    """With the reason that pip gave (run.sh)."""
    path = os.path.join(sys.prefix, f"{PACKAGES[peer]}.failed")
    if not os.path.exists(path):
        return "not installed"
    with open(path) as file:
        lines = [line.strip() for line in file if line.strip()]
    return f"not installed ({lines[-1] if lines else 'no reason given'})"


def run_peer(peer, case, size, steps, timeout):
    """The rows that a peer prints, or one with what went wrong."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    command = [sys.executable, "-W", "ignore", os.path.join(HERE, f"peer_{peer}.py"), case, str(size), str(steps)]
    say(f"{peer}: {case} {size}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout,
                                  env=environment, cwd=folder)
        except subprocess.TimeoutExpired:
            return [{"failure": f"not done in {timeout} s"}]
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    return rows or [{"failure": (done.stderr.strip().splitlines() or ["no result"])[-1]}]


def hawser(arguments, build):
    done = subprocess.run([os.path.join(build, "hawser"), *arguments], capture_output=True, text=True)
    if done.returncode > 1:  # 1: a row is out of tolerance
        sys.exit(f"hawser {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["rows"]


def deviation(row, ours):
    """Of a peer's position from ours, by the way moved."""
    there = [ours["x"], ours["y"], ours["z"]]
    off = sum((a - b) ** 2 for a, b in zip(row["position"], there)) ** 0.5
    way = sum((a - b) ** 2 for a, b in zip(row["moved_from"], there)) ** 0.5
    return off / way


def machines(options):
    """Rows of the table: machine, size, mixed, spook, goal, peers."""
    say("hawser: bench machines")
    arguments = ["bench", "machines", "--json"]
    if options.case:
        arguments += ["--case", ",".join(sorted({c.split("-wet")[0] for c in options.case if c != "pendulum"}))]
    if options.size:
        arguments += ["--size", ",".join(map(str, options.size))]
    table = {}
    for row in hawser(arguments, options.build):
        if "us_per_step" not in row:
            continue
        entry = table.setdefault((row["machine"], row["size"]), {"peers": []})
        entry[row["method"]] = row
    for (machine, size), entry in table.items():
        ours = entry["mixed"]
        for peer in PEERS.get(machine, []):
            if options.peer and peer not in options.peer:
                continue
            if not ours["us_per_step"]:
                continue
            if not version(peer):
                entry["peers"].append({"peer": peer, "failure": not_installed(peer)})
                continue
            case = "mooring" if machine == "mooring-wet" else machine
            row = run_peer(peer, case, size, ours["steps"], options.timeout)[0]
            if "failure" not in row:
                row["deviation"] = deviation(row, ours)
                if abs(row["t"] - ours["t"]) > 1e-9:
                    row["failure"] = f"ends at {row['t']} s, not at {ours['t']} s"
                elif not row["deviation"] <= ALLOWED:
                    row["failure"] = f"another motion: {100 * row['deviation']:.1f} % off"
            entry["peers"].append({"peer": peer, **row})
    return table


def tip_heights(build, sets):
    """Of Hawser's pendulum, every 10 ms."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        arguments = [a for s in sets for a in ("--set", s)]
        done = subprocess.run(
            [os.path.join(build, "hawser"), "run", "pendulum-westin-irani", *arguments, "--set",
             f"solve.until={Pendulum.until} s", "--set", "record.channels=[tether.position.z@end]",
             "--format", "csv", "--no-report", "-o", out], capture_output=True, text=True)
        path = os.path.join(out, "channels.csv")
        if not os.path.exists(path):
            sys.exit(f"hawser run pendulum-westin-irani: {done.stderr.strip()}")
        with open(path) as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
    column = next(i for i, name in enumerate(rows[0]) if name.startswith("tether.position.z@end"))
    return [float(row[column]) for row in rows[2:]]


def mean_error(heights, reference):
    """[mm]"""
    if len(heights) != len(reference):
        return float("inf")
    return 1e3 * sum(abs(a - b) for a, b in zip(heights, reference)) / len(reference)


def pendulum(options):
    """By program: the least CPU time of a simulated second for each error that is asked."""
    say("hawser: pendulum")
    reference = tip_heights(options.build, ["cables.tether.elements=40", "solve.step=0.1 ms"])
    results = {"Hawser": []}
    names = {"mixed hht (default)": "mixed", "mixed3": "mixed3"}
    errors = {}
    for row in hawser(["bench", "work-precision", "--json"], options.build):
        method = names.get(row["method"])
        if not method or not row["stable"]:
            continue
        key = (method, row["h"])
        if key not in errors:
            errors[key] = mean_error(
                tip_heights(options.build, [f"solve.method={method}", f"solve.step={row['h']} s"]), reference)
        results["Hawser"].append({"error": errors[key], "cpu_per_second": row["cpu_per_second"],
                                  "setting": f"{method}, 10 elements, h = {1e3 * row['h']:g} ms"})
    for peer in PENDULUM_PEERS:
        if options.peer and peer not in options.peer:
            continue
        if not version(peer):
            results[peer] = [{"failure": not_installed(peer)}]
            continue
        results[peer] = []
        for row in run_peer(peer, "pendulum", 10, 0, options.timeout):
            if "heights" in row:
                row["error"] = mean_error(row.pop("heights"), reference)
            results[peer].append(row)
    return results


def least(first, second, time):
    """The one of two rows of a program that took less CPU time; one that failed counts for nothing."""
    if first is None or second is None:
        return first or second
    return min(first, second, key=lambda row: row.get(time) if "failure" not in row and row.get(time) else float("inf"))


def least_machines(table, other):
    """Of two runs: others that load the machine slow a run down, never up."""
    for key, entry in table.items():
        again = other[key]
        for method in ("mixed", "spook"):
            if method in entry:
                entry[method] = least(entry[method], again.get(method), "us_per_step")
        entry["peers"] = [least(a, b, "us_per_step") for a, b in zip(entry["peers"], again["peers"])]
    return table


def least_pendulum(results, other):
    for program, rows in results.items():
        times = {row.get("setting"): row for row in other[program]}
        results[program] = [least(row, times.get(row.get("setting")), "cpu_per_second") for row in rows]
    return results


def print_machines(table):
    print("\nCPU time of a step of 1 ms [us]. Ratio: Hawser (mixed) over the peer; above 1 the peer is faster.\n")
    print("| case | size | Hawser mixed | spook | goal | peer | its time | ratio | deviation |")
    print("|---|---|---|---|---|---|---|---|---|")
    number = lambda value: "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    for (machine, size), entry in table.items():
        mixed, spook = entry["mixed"], entry.get("spook", {})
        cells = [machine, size, number(mixed["us_per_step"]), number(spook.get("us_per_step")), number(mixed["goal"])]
        for peer in entry["peers"] or [None]:
            if peer is None:
                rest = ["-", "-", "-", "-"]
            elif "failure" in peer:
                rest = [peer["peer"], "-", "-", peer["failure"]]
            else:
                rest = [peer["peer"], number(peer["us_per_step"]),
                        f"{mixed['us_per_step'] / peer['us_per_step']:.2f}", f"{100 * peer['deviation']:.1f} %"]
            print("| " + " | ".join(map(str, cells + rest)) + " |")


def print_pendulum(results):
    print("\nFlexible pendulum: least CPU time of a simulated second with a mean error of the tip's height over 3 s\n"
          "of at most so much, against 40 elements at h = 0.1 ms.\n")
    print("| program | error at most | CPU time | over Hawser | setting |")
    print("|---|---|---|---|---|")
    for allowed in ERRORS:
        best = {}
        for program, rows in results.items():
            good = [r for r in rows if r.get("error", float("inf")) <= allowed]
            best[program] = min(good, key=lambda r: r["cpu_per_second"]) if good else None
        ours = best["Hawser"]
        for program, row in best.items():
            if row is None:
                errors = [r["error"] for r in results[program] if "error" in r]
                failures = [r["failure"] for r in results[program] if "failure" in r] or ["no result"]
                reason = f"not reached: {min(errors):.3g} mm at best" if errors else failures[-1]
                print(f"| {program} | {allowed:g} mm | - | - | {reason} |")
                continue
            ratio = f"{row['cpu_per_second'] / ours['cpu_per_second']:.3g}" if ours else "-"
            print(f"| {program} | {allowed:g} mm | {1e3 * row['cpu_per_second']:.3g} ms | {ratio} | {row['setting']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cases = ["pendulum", "net", "hinges", "balls", "reeving", "blocks", "mooring"]
    parser.add_argument("--case", type=lambda s: s.split(","), help=f"only these, separated by commas: {', '.join(cases)}")
    parser.add_argument("--size", type=lambda s: [int(x) for x in s.split(",")], help="only these sizes")
    parser.add_argument("--peer", type=lambda s: s.split(","), help=f"only these: {', '.join(PACKAGES)}")
    parser.add_argument("--build", default=os.path.join(HERE, "../../build"), help="folder of the program")
    parser.add_argument("--timeout", type=float, default=1800, help="of a peer's case [s], wall time")
    parser.add_argument("--runs", type=int, default=1, help="repeats; the least times count")
    parser.add_argument("--json", help="also write all results to this file")
    options = parser.parse_args()
    for case in options.case or []:
        if case not in cases:
            parser.error(f"unknown case '{case}'; there are {', '.join(cases)}")
    print("Peers: " + ", ".join(f"{p} {version(p) or not_installed(p)}" for p in PACKAGES))
    results = {}
    if not options.case or set(options.case) != {"pendulum"}:
        table = machines(options)
        for _ in range(1, options.runs):
            table = least_machines(table, machines(options))
        print_machines(table)
        results["machines"] = [{"machine": m, "size": s, **entry} for (m, s), entry in table.items()]
    if not options.case or "pendulum" in options.case:
        results["pendulum"] = pendulum(options)
        for _ in range(1, options.runs):
            results["pendulum"] = least_pendulum(results["pendulum"], pendulum(options))
        print_pendulum(results["pendulum"])
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
