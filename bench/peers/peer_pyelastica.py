"""PyElastica: a Cosserat rod, explicit position Verlet (compiled by Numba)."""

import sys

import elastica
import numpy as np

from cases import GRAVITY, Pendulum
from timing import cpu, say


class Simulator(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing):
    pass


def start(count):
    p = Pendulum
    radius, E = 0.005, 1e8
    rod = elastica.CosseratRod.straight_rod(
        count, np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), p.length, radius, 5000.0,
        youngs_modulus=E, shear_modulus=E / 3)
    rod.bend_matrix[0, 0, :] = rod.bend_matrix[1, 1, :] = p.EI  # that of the paper, not of a circle
    simulator = Simulator()
    simulator.append(rod)
    simulator.constrain(rod).using(
        elastica.GeneralConstraint, constrained_position_idx=(0,), constrained_director_idx=(0,),
        translational_constraint_selector=np.array([True, True, True]),
        rotational_constraint_selector=np.array([False, False, False]))
    simulator.add_forcing_to(rod).using(elastica.GravityForces, acc_gravity=np.array([0, 0, -GRAVITY]))
    simulator.finalize()
    return simulator, rod


def run(count, h, until):
    simulator, rod = start(count)
    stepper = elastica.PositionVerlet()
    t, heights, taken = 0.0, [], 0.0
    for _ in range(round(until / Pendulum.every)):
        begin = cpu()
        for _ in range(round(Pendulum.every / h)):
            t = stepper.step(simulator, t, h)
        taken += cpu() - begin
        heights.append(float(rod.position_collection[2, -1]))
        if not np.isfinite(heights[-1]):
            break
    return taken / until, heights


def pendulum(size, steps):
    run(10, 1e-5, Pendulum.every)  # compiles
    for count, h in ((10, 1e-4), (10, 5e-5), (10, 2e-5), (20, 1e-5), (40, 5e-6)):
        seconds, heights = run(count, h, Pendulum.until)
        setting = f"{count} elements, h = {1e3 * h:g} ms"
        if np.isfinite(heights[-1]):
            say(cpu_per_second=seconds, heights=heights, setting=setting, note="Cosserat rod, position Verlet")
        else:
            say(failure="unstable", setting=setting)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
