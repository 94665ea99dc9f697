"""results.vtkhdf, read and played by VTK, against results.h5."""

import subprocess

import numpy as np
import pytest
from conftest import ROOT
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader


class Film:
    """A VTKHDF file: its times, and its frames as vtkPolyData."""

    def __init__(self, path):
        self.reader = vtkHDFReader()
        self.reader.SetFileName(str(path))
        assert self.reader.CanReadFile(str(path))
        self.reader.UpdateInformation()
        key = vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        self.times = self.reader.GetOutputInformation(0).Get(key)

    def __len__(self):
        return len(self.times)

    def __getitem__(self, i):
        self.reader.UpdateTimeStep(self.times[i])
        assert self.reader.GetErrorCode() == 0
        frame = vtkPolyData()
        frame.DeepCopy(self.reader.GetOutputDataObject(0))
        return frame


def points_of(frame):
    return vtk_to_numpy(frame.GetPoints().GetData())


def point_data(frame, name):
    return vtk_to_numpy(frame.GetPointData().GetArray(name))


def cell_data(frame, name):
    return vtk_to_numpy(frame.GetCellData().GetArray(name))


@pytest.fixture(scope="module")
def film(folder):
    return Film(folder / "results.vtkhdf")


def some(film):
    """Numbers of frames: the first, the last, and some between, not in their order."""
    n = len(film)
    return dict.fromkeys([0, n - 1, 1, n // 3, n // 2, 2 * n // 3, 3 * n // 4])


def test_it_has_the_frames_of_the_h5(film, h5):
    np.testing.assert_array_equal(film.times, h5["shapes/time"])


def test_frames_are_the_shapes(film, h5):
    shapes = [group for name, group in h5["shapes"].items() if name != "time"]
    for i in some(film):
        data = film[i]
        points = points_of(data)
        assert points.dtype == np.float32
        ends = vtk_to_numpy(data.GetLines().GetOffsetsArray())
        last = ends[len(shapes)]
        ids = vtk_to_numpy(data.GetLines().GetConnectivityArray())[:last]
        np.testing.assert_array_equal(ids, np.arange(last))
        cables = cell_data(data, "cable")
        assert list(cables[: len(shapes)]) == list(range(len(shapes)))
        assert (cables[len(shapes) :] == -1).all()
        assert ((cables == -1) == (cell_data(data, "body") >= 0)).all()
        for k, shape in enumerate(shapes):
            piece = slice(ends[k], ends[k + 1])
            n = np.isfinite(shape["s"][i]).sum()
            np.testing.assert_array_equal(points[piece], shape["position"][i][:n])
            for name in ("tension", "strain", "curvature", "velocity"):
                array = point_data(data, name)
                np.testing.assert_array_equal(array[piece], shape[name][i][:n], err_msg=name)
                assert len(array) == len(points) and np.isnan(array[last:]).all()
            arc = point_data(data, "arc_length")[piece]
            np.testing.assert_array_equal(arc, shape["s"][i][:n].astype(np.float32))


def points_of_cell(cell):
    return [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]


def rotation(quaternion):
    w, *v = quaternion
    x, y, z = v
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_bodies_are_their_solids_where_the_h5_says(film, h5):
    for i in some(film) if len(h5["bodies"]) else ():
        data = film[i]
        points = points_of(data)
        owner = cell_data(data, "body")
        assert data.GetNumberOfLines() + data.GetNumberOfPolys() == len(owner)
        for number, body in enumerate(h5["bodies"].values()):
            cells = [points_of_cell(data.GetCell(int(c))) for c in np.flatnonzero(owner == number)]
            ids = sorted({point for cell in cells for point in cell})
            own = (points[ids] - body["position"][i]) @ rotation(body["orientation"][i])
            size = body.attrs["size"]
            if body.attrs["shape"] == "box":
                corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
                assert len(cells) == 6
                np.testing.assert_allclose(own, np.array(corners) * size / 2, atol=1e-5)
            elif body.attrs["shape"] == "cylinder":
                np.testing.assert_allclose(np.hypot(own[:, 0], own[:, 1]), size[0], atol=1e-5)
                np.testing.assert_allclose(np.abs(own[:, 2]), size[1] / 2, atol=1e-5)
            else:
                assert body.attrs["shape"] == "none"
                assert len(cells) == 3 and len(own) == 6
                np.testing.assert_allclose(own[::2], -own[1::2], atol=1e-5)


def test_ends_of_cables_are_where_the_csv_says(table, film):
    checked = 0
    for i in range(0, len(film), max(1, len(film) // 5)):
        rows = np.flatnonzero(table["time"] == film.times[i])
        if len(rows) != 1:
            continue
        points = points_of(film[i])
        for name in table.names:
            if not name.endswith(".position.x@end"):
                continue
            end = [table[name.replace(".x@", f".{c}@")][rows[0]] for c in "xyz"]
            distance = np.linalg.norm(points - np.array(end), axis=1).min()
            assert distance < 1e-6 * max(1, np.abs(points).max()), name
            checked += 1
    assert checked >= 2


def test_modes_are_one_period_of_their_motion(tmp_path):
    command = [ROOT / "build/hawser", "modes", "hoist", "--count", "2", "--vtk", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    film = Film(tmp_path / "mode_001.vtkhdf")
    period = len(film) * film.times[1]
    at_rest, quarter, half = (film[i] for i in (0, len(film) // 4, len(film) // 2))
    assert film.times[len(film) // 2] == pytest.approx(period / 2)
    moved = point_data(at_rest, "displacement")
    start = points_of(at_rest)
    np.testing.assert_allclose(points_of(quarter) - start, moved, atol=1e-5)
    np.testing.assert_allclose(points_of(half), start, atol=1e-5)
    largest = np.linalg.norm(moved, axis=1).max()
    assert 0.02 * np.ptp(start, axis=0).max() < largest < 0.2 * np.ptp(start, axis=0).max()
