"""Exudyn: planar ANCF cable elements, implicit generalized-alpha."""

import sys

import exudyn as exu
from exudyn.beams import GenerateStraightLineANCFCable2D
from exudyn.itemInterface import Cable2D, SensorNode

from cases import GRAVITY, Pendulum
from timing import cpu, say


def run(count, h):
    p = Pendulum
    container = exu.SystemContainer()
    system = container.AddSystem()
    template = Cable2D(physicsMassPerLength=p.mass, physicsBendingStiffness=p.EI, physicsAxialStiffness=p.EA)
    nodes = GenerateStraightLineANCFCable2D(
        system, positionOfNode0=[0, 0, 0], positionOfNode1=[p.length, 0, 0], numberOfElements=count,
        cableTemplate=template, massProportionalLoad=[0, -GRAVITY, 0], fixedConstraintsNode0=[1, 1, 0, 0])[0]
    tip = system.AddSensor(SensorNode(nodeNumber=nodes[-1], storeInternal=True,
                                      outputVariableType=exu.OutputVariableType.Position))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = p.until
    settings.timeIntegration.numberOfSteps = round(p.until / h)
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = p.every
    settings.displayComputationTime = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    begin = cpu()
    system.SolveDynamic(settings)
    taken = cpu() - begin
    return taken, [float(row[2]) for row in system.GetSensorStoredData(tip)][1:]


def pendulum(size, steps):
    for h in (1e-2, 5e-3, 2e-3, 1e-3, 5e-4):
        best, heights = float("inf"), []
        setting = f"10 elements, h = {1e3 * h:g} ms"
        try:
            for _ in range(2):
                taken, heights = run(10, h)
                best = min(best, taken / Pendulum.until)
            say(cpu_per_second=best, heights=heights, setting=setting,
                note="planar ANCF, generalized-alpha, modified Newton")
        except Exception as error:  # the solver gives up
            say(failure=str(error)[:200], setting=setting)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
