"""MoorDyn: lumped masses, explicit time stepping. No added mass, as in Hawser."""

import os
import sys
import tempfile

import moordyn
import numpy as np

from cases import BEFORE, GRAVITY, STEP, Mooring, Pendulum
from timing import cpu, least, say


def system_of(types, points, lines, options):
    text = "\n".join(
        ["--- MoorDyn input file ---", "written by bench/peers", "--- LINE TYPES ---",
         "Name Diam MassDen EA BA EI Cd Ca CdAx CaAx", "(-) (m) (kg/m) (N) (N-s) (N-m^2) (-) (-) (-) (-)", types,
         "--- POINTS ---", "ID Attachment X Y Z Mass Volume CdA Ca", "(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)",
         *points, "--- LINES ---", "ID LineType AttachA AttachB UnstrLen NumSegs Outputs", "(-) (-) (-) (-) (m) (-) (-)",
         *lines, "--- OPTIONS ---", "0 writeLog", "1 disableOutput", "1 disableOutTime", f"{GRAVITY} g", *options, "--- OUTPUTS ---", "---", ""])
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "lines.txt")
    with open(path, "w") as file:
        file.write(text)
    system = moordyn.Create(path)
    return system


def mooring(size, steps):
    m = Mooring
    depth = 60.0  # the seabed, under water all along
    fairlead = np.array(m.fairlead) - (0, 0, depth)
    begin = cpu()
    system = system_of(
        f"chain {m.diameter} {m.mass} {m.EA} 0 0 {m.drag} 0 {m.tangential_drag} 0",
        [f"1 Fixed 0 0 {-depth} 0 0 0 0", f"2 Coupled {fairlead[0]} 0 {fairlead[2]} 0 0 0 0"],
        [f"1 chain 1 2 {m.length} {m.elements} -"],
        [f"{STEP} dtM", "rk4 tScheme", f"{depth} WtrDpth", f"{m.water} rho",
         f"{m.ground_stiffness / m.diameter} kBot",
         f"{m.ground_stiffness * m.ground_damping / m.diameter} cBot",
         "0.5 dtIC", "300 TmaxIC", "1e-5 threshIC", "10 CdScaleIC"])
    moordyn.Init(system, list(fairlead), [0, 0, 0])
    began = cpu() - begin
    line = moordyn.GetLine(system, 1)
    node = 3 * m.elements // 4
    start = np.array(moordyn.GetLineNodePos(line, node)) + (0, 0, depth)
    now = [0.0]

    def go(count):
        for _ in range(count):
            surge, rate = m.surge(now[0])
            moordyn.Step(system, [fairlead[0] + surge, 0, fairlead[2]], [rate, 0, 0], now[0], STEP)
            now[0] += STEP

    go(BEFORE)
    seen = []

    def window():
        begin = cpu()
        go(steps)
        taken = cpu() - begin
        if not seen:
            seen.append((now[0], np.array(moordyn.GetLineNodePos(line, node)) + (0, 0, depth)))
        return taken

    seconds = least(window, steps)
    t, position = seen[0]
    say(us_per_step=1e6 * seconds, t=t, position=list(position), moved_from=list(start),
        start_seconds=began, note="explicit RK4, h = 1 ms")
    moordyn.Close(system)


def straighten(system, line, count):
    """Moves the nodes of a line onto the straight one between its ends: MoorDyn itself starts from a
    catenary. Its serialized state holds the coordinates of each node in a row."""
    state = bytearray(moordyn.Serialize(system))
    numbers = np.frombuffer(state, dtype=np.float64)
    ends = [np.array(moordyn.GetLineNodePos(line, i)) for i in (0, count)]
    for i in range(1, count):
        x = moordyn.GetLineNodePos(line, i)[0]
        for at in np.flatnonzero(numbers == x):
            numbers[at : at + 3] = ends[0] + i / count * (ends[1] - ends[0])
    moordyn.Deserialize(system, bytes(state))


def pendulum(size, steps):
    p = Pendulum
    for count, h in ((10, 5e-4), (10, 2e-4), (20, 1e-4), (20, 5e-5), (40, 2e-5)):
        start = [0.0, 0.0, 0.0]
        system = system_of(
            f"soft 0.01 {p.mass} {p.EA} 0 {p.EI} 0 0 0 0",
            ["1 Coupled 0 0 0 0 0 0 0", f"2 Free {p.length} 0 0 0 0 0 0"],
            [f"1 soft 1 2 {p.length} {count} -"],
            [f"{h} dtM", "rk4 tScheme", "100 WtrDpth", "0 rho", "0 kBot", "0 cBot"])
        try:
            moordyn.Init_NoIC(system, start, [0, 0, 0])
            line = moordyn.GetLine(system, 1)
            straighten(system, line, count)
            heights, t, taken = [], 0.0, 0.0
            for _ in range(round(p.until / p.every)):
                begin = cpu()
                moordyn.Step(system, start, [0, 0, 0], t, p.every)
                taken += cpu() - begin
                t += p.every
                heights.append(moordyn.GetLineNodePos(line, count)[2])
            say(cpu_per_second=taken / p.until, heights=heights, setting=f"{count} segments, h = {1e3 * h:g} ms",
                note="lumped masses, explicit RK4")
        except RuntimeError as error:
            say(failure=str(error), setting=f"{count} segments, h = {1e3 * h:g} ms")
        moordyn.Close(system)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
