"""DART: chains as trees of joints, by its articulated-body algorithm."""

import sys

import dartpy as dart
import numpy as np

from cases import BEFORE, GRAVITY, STEP, Link
from timing import cpu, least, say


def links(size, steps, ball):
    begin = cpu()
    world = dart.simulation.World()
    world.setTimeStep(STEP)
    world.setGravity([0, 0, -GRAVITY])
    chain = dart.dynamics.Skeleton("chain")
    body = None
    for i in range(size):
        make = (chain.createBallJointAndBodyNodePair if ball
                else chain.createRevoluteJointAndBodyNodePair)
        joint, body = make(body)
        if not ball:
            joint.setAxis([0, 1, 0])
        from_parent, from_child = dart.math.Isometry3(), dart.math.Isometry3()
        from_parent.set_translation([Link.length / 2 if i else 0, 0, 0])
        from_child.set_translation([-Link.length / 2, 0, 0])
        joint.setTransformFromParentBodyNode(from_parent)
        joint.setTransformFromChildBodyNode(from_child)
        inertia = dart.dynamics.Inertia(Link.mass, np.zeros(3), np.diag(Link.inertia))
        body.setInertia(inertia)
    world.addSkeleton(chain)
    q, v = chain.getPositions(), chain.getVelocities()
    if ball:
        v[2] = Link.spin
        chain.setVelocities(v)
    watched = chain.getBodyNode(3)
    start = watched.getWorldTransform().translation().copy()
    began = cpu() - begin
    for _ in range(BEFORE):
        world.step()
    q, v, t = chain.getPositions(), chain.getVelocities(), world.getTime()

    def window():
        chain.setPositions(q)
        chain.setVelocities(v)
        world.setTime(t)
        begin = cpu()
        for _ in range(steps):
            world.step()
        return cpu() - begin

    seconds = least(window, steps)
    say(us_per_step=1e6 * seconds, t=world.getTime(), position=list(watched.getWorldTransform().translation()),
        moved_from=list(start), start_seconds=began, note="tree of joints, semi-implicit Euler")


def hinges(size, steps):
    links(size, steps, False)


def balls(size, steps):
    links(size, steps, True)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
