"""The numbers of the cases, as in bench/machines_scenes.cpp and scenes/pendulum-westin-irani.yaml.

SI units; z points up; h = 1 ms.
"""

import math

GRAVITY = 9.81
STEP = 1e-3
BEFORE = 20  # steps before those that are timed


class Net:
    """A square net, held at its corners, released from its plane."""

    mesh = 0.25
    EA = 11.3e3
    mass = 23.3e-3  # per metre


class Link:
    """Of a chain: a box from the last one's end, level at the start."""

    length = 0.5
    mass = 1.0
    inertia = [4.1666667e-4, 2.1041667e-2, 2.1041667e-2]  # of 0.5 m x 0.05 m x 0.05 m
    spin = 0.5  # about the vertical, of chains of ball joints


class Reeving:
    """A rope from the winch over two sheaves of a trolley and one of the block to the jib's tip."""

    radius = 0.25
    jib = 45.0
    low = 30.0  # of the block's sheave under those of the trolley
    below = 1.5  # of the load's centre under its sheave
    EA = 7.55e6
    load = 3000.0
    trolley = 250.0
    start = 25.0
    span = 50.0
    speed = 1.0  # of the load
    pull = load * GRAVITY / 2
    length = (span - 4 * radius + 2 * low + 2 * math.pi * radius) / (1 + pull / EA)


class Blocks:
    """Boxes in the bights of one rope."""

    mass = 100.0
    edges = (0.4, 0.3, 0.5)
    eye = 0.25
    depth = 2.0
    spacing = 2.0
    EA = 1e7

    @classmethod
    def length(cls, count):
        return 2 * count * math.hypot(cls.spacing / 2, cls.depth - cls.eye)


class Pendulum:
    """Westin & Irani's, E = 1e8 Pa."""

    length = 1.0
    EA = 1e8 * math.pi * 0.01**2 / 4
    EI = 1e8 * 1e-8
    mass = 5000 * math.pi * 0.01**2 / 4  # per metre
    until = 3.0
    every = 0.01  # of the samples that are compared


class Mooring:
    """A chain on the seabed; the fairlead surges."""

    bar = 0.05
    mass = 19.9e3 * bar**2
    EA = (54e9 - 40e9 * bar) * math.pi / 2 * bar**2
    diameter = 2 * math.sqrt(mass / 7850 / math.pi)  # of a circle that displaces as much
    drag = 2.4 * bar / diameter
    tangential_drag = 1.15 * bar / diameter / math.pi
    length = 200.0
    fairlead = (187.0, 0.0, 48.0)
    water = 1025.0
    elements = 100
    ground_stiffness = 50e3  # per metre of cable and of depth
    ground_damping = 0.05  # s

    @staticmethod
    def surge(t):
        """Displacement and velocity."""
        w = 2 * math.pi / 10
        return 0.5 * (1 - math.cos(w * t)), 0.5 * w * math.sin(w * t)
