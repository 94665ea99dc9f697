"""MuJoCo: chains as trees of joints, ropes as spatial tendons, nets as flex edges."""

import sys

import mujoco
import numpy as np

from cases import BEFORE, GRAVITY, STEP, Blocks, Link, Net, Pendulum, Reeving
from timing import cpu, least, say


WATCHED = 4  # the fourth link: further out a chain falls freely for long


def model_of(body, rest="", option="", step=STEP):
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step}" gravity="0 0 -{GRAVITY}" {option}>
        <flag contact="disable"/></option><size memory="2G"/>
        <worldbody>{body}</worldbody>{rest}</mujoco>"""
    )


def measure(model, steps, watched, start=None, note="", substeps=1):
    """Times the steps after BEFORE, each of so many of MuJoCo's; `watched(data)` is a position."""
    begin = cpu()
    data = mujoco.MjData(model)
    if start:
        start(data)
    first = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_forward(model, data)
    began = cpu() - begin
    from_ = watched(data).copy()
    mujoco.mj_step(model, data, BEFORE * substeps)
    mujoco.mj_getState(model, data, first, mujoco.mjtState.mjSTATE_INTEGRATION)

    def window():
        mujoco.mj_setState(model, data, first, mujoco.mjtState.mjSTATE_INTEGRATION)
        begin = cpu()
        mujoco.mj_step(model, data, steps * substeps)
        return cpu() - begin

    seconds = least(window, steps)
    mujoco.mj_forward(model, data)
    say(us_per_step=1e6 * seconds, t=data.time, position=list(watched(data)), moved_from=list(from_),
        start_seconds=began, note=note)


def links(count, balls):
    joint = 'type="ball"' if balls else 'type="hinge" axis="0 1 0"'
    inertia = " ".join(map(str, Link.inertia))
    body = "".join(
        f'<body name="link{i}" pos="{Link.length if i else 0} 0 0"><joint {joint}/>'
        f'<inertial pos="{Link.length / 2} 0 0" mass="{Link.mass}" diaginertia="{inertia}"/>'
        for i in range(count)
    )
    return model_of(body + "</body>" * count)


def hinges(size, steps, balls=False):
    model = links(size, balls)

    def start(data):
        if balls:
            data.qvel[2] = Link.spin

    measure(model, steps, lambda data: data.xipos[WATCHED], start, "tree of joints, Euler")


def balls(size, steps):
    hinges(size, steps, True)


def net(size, steps, substeps=3):
    """Knots with lumped masses; the cords are explicit springs, stable below 0.44 ms."""
    n = size + 1
    knots, names, edges = [], [], []
    for j in range(n):
        for i in range(n):
            names.append(f"k{j}_{i}")
            corner = i in (0, size) and j in (0, size)
            cords = (0 < i < size) + (0 < j < size) + 2
            moves = "" if corner else "".join(
                f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1")
            ) + (
                f'<inertial pos="0 0 0" mass="{cords / 2 * Net.mesh * Net.mass}" '
                'diaginertia="1e-6 1e-6 1e-6"/>'
            )
            knots.append(
                f'<body name="{names[-1]}" pos="{Net.mesh * i} {Net.mesh * j} 0">{moves}</body>'
            )
            if i < size:
                edges.append(f"{n * j + i} {n * j + i + 1}")
            if j < size:
                edges.append(f"{n * j + i} {n * (j + 1) + i}")
    flex = (
        f'<deformable><flex name="net" dim="1" radius="0.003" body="{" ".join(names)}" '
        f'element="{" ".join(edges)}"><edge stiffness="{Net.EA / Net.mesh}"/>'
        '<contact selfcollide="none" contype="0" conaffinity="0"/></flex></deformable>'
    )
    model = model_of("".join(knots), flex, step=STEP / substeps)
    knot = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "k2_2")
    measure(model, steps, lambda data: data.xpos[knot], None,
            f"lumped knots, explicit springs, {substeps} steps of {1e3 * STEP / substeps:.3g} ms", substeps)


def reeving(size, steps):
    r, R = Reeving, Reeving.radius
    trolley = (
        f'<body name="trolley" pos="{r.start} 0 {r.jib}"><joint type="slide" axis="1 0 0"/>'
        f'<inertial pos="0 0 0" mass="{r.trolley}" diaginertia="100 100 100"/>'
    )
    for name, side in (("inner", -1), ("outer", 1)):
        trolley += (
            f'<geom name="{name}" type="cylinder" size="{R} 0.05" pos="{side * 2 * R} 0 0" '
            'euler="90 0 0" mass="0"/>'
            f'<site name="{name}_top" pos="{side * 2 * R} 0 {2 * R}"/>'
            f'<site name="{name}_off" pos="{side * (R + 0.001)} 0 -0.05"/>'
        )
    i = r.load / 12 * 8  # of a cube of 2 m
    load = (
        f'<body name="load" pos="{r.start} 0 {r.jib - r.low - r.below}">'
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>'
        f'<inertial pos="0 0 0" mass="{r.load}" diaginertia="{i} {i} {i}"/>'
        f'<geom name="sheave" type="cylinder" size="{R} 0.05" pos="0 0 {r.below}" euler="90 0 0" '
        f'mass="0"/><site name="under" pos="0 0 {r.below - 2 * R}"/></body>'
    )
    world = f'<site name="winch" pos="0 0 {r.jib + R}"/><site name="tip" pos="{r.span} 0 {r.jib + R}"/>'
    tendon = (
        f'<tendon><spatial springlength="0 {r.length}" stiffness="{r.EA / r.length}">'
        '<site site="winch"/><geom geom="inner" sidesite="inner_top"/><site site="inner_off"/>'
        '<geom geom="sheave" sidesite="under"/><site site="outer_off"/>'
        '<geom geom="outer" sidesite="outer_top"/><site site="tip"/></spatial></tendon>'
    )
    model = model_of(world + trolley + "</body>" + load, tendon)
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "load")

    def start(data):
        data.qvel[1] = r.speed  # after the trolley's

    measure(model, steps, lambda data: data.xipos[body], start,
            "spatial tendon, explicit spring; load kept in its plane, since a wrapped cylinder has no groove; "
            "a site between two sheaves, since tendons need one")


def blocks(size, steps):
    b = Blocks
    x, y, z = (e * e for e in b.edges)
    inertia = " ".join(str(b.mass / 12 * s) for s in (y + z, x + z, x + y))
    world, path = '<site name="hook0" pos="0 0 0"/>', '<site site="hook0"/>'
    for i in range(size):
        world += (
            f'<site name="hook{i + 1}" pos="{b.spacing * (i + 1)} 0 0"/>'
            f'<body name="block{i}" pos="{b.spacing * (i + 0.5)} 0 -{b.depth}"><freejoint/>'
            f'<inertial pos="0 0 0" mass="{b.mass}" diaginertia="{inertia}"/>'
            f'<site name="eye{i}" pos="0 0 {b.eye}"/></body>'
        )
        path += f'<site site="eye{i}"/><site site="hook{i + 1}"/>'
    length = b.length(size)
    model = model_of(
        world,
        f'<tendon><spatial springlength="0 {length}" stiffness="{b.EA / length}">{path}</spatial></tendon>',
    )

    def start(data):
        for i in range(size):
            data.qvel[6 * i : 6 * i + 2] = (-0.5 if i % 2 else 0.5, 0.2)

    measure(model, steps, lambda data: data.xipos[1], start, "spatial tendon, explicit spring, Euler")


def pendulum(size, steps):
    """Links with torsion springs of EI over their length; for each step, the tip over time."""
    p = Pendulum
    for count, h in ((10, 2e-3), (10, 1e-3), (10, 5e-4), (20, 5e-4), (20, 2e-4), (40, 2e-4), (40, 1e-4),
                     (40, 5e-5), (80, 2e-5)):
        l = p.length / count
        inertia = p.mass * l**3 / 12
        body = "".join(
            f'<body pos="{l if i else 0} 0 0">'
            f'<joint type="hinge" axis="0 1 0" stiffness="{p.EI / l if i else 0}"/>'
            f'<inertial pos="{l / 2} 0 0" mass="{p.mass * l}" diaginertia="{1e-3 * inertia} {inertia} {inertia}"/>'
            for i in range(count)
        )
        end = f'<site name="tip" pos="{l} 0 0"/>'
        model = model_of(body + end + "</body>" * count, step=h, option='integrator="implicitfast"')
        data = mujoco.MjData(model)
        between = round(p.every / h)
        best, heights = float("inf"), []
        for _ in range(3):
            mujoco.mj_resetData(model, data)
            heights, taken = [], 0.0
            for _ in range(round(p.until / p.every)):
                begin = cpu()
                mujoco.mj_step(model, data, between)
                taken += cpu() - begin
                mujoco.mj_kinematics(model, data)
                heights.append(float(data.site("tip").xpos[2]))
            best = min(best, taken / p.until)
        say(cpu_per_second=best, heights=heights, setting=f"{count} hinges, h = {1e3 * h:g} ms",
            note="hinges with torsion springs, inextensible, implicitfast")


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
