"""results.pvd and its frames, read by VTK, against results.h5."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def parts(folder, number):
    entries = ElementTree.parse(folder / "results.pvd").findall("Collection/DataSet")
    return [(float(e.get("timestep")), folder / e.get("file")) for e in entries
            if e.get("part") == str(number)]


@pytest.fixture(scope="module")
def frames(folder):
    return parts(folder, 0)


@pytest.fixture(scope="module")
def body_frames(folder):
    return parts(folder, 1)


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


def test_the_collection_names_every_frame_once(folder, frames, body_frames, h5):
    np.testing.assert_array_equal([t for t, _ in frames], h5["shapes/time"])
    if len(h5["bodies"]):
        np.testing.assert_array_equal([t for t, _ in body_frames], h5["shapes/time"])
    else:
        assert not body_frames
    named = [path for _, path in frames + body_frames]
    assert sorted(named) == sorted((folder / "vtk").iterdir())


def test_frames_are_the_shapes(frames, h5):
    shapes = [group for name, group in h5["shapes"].items() if name != "time"]
    for i in {0, 1, len(frames) // 2, len(frames) - 1}:
        t, path = frames[i]
        data = read(path)
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == t
        points = vtk_to_numpy(data.GetPoints().GetData())
        assert points.dtype == np.float32
        ends = vtk_to_numpy(data.GetLines().GetOffsetsArray())
        assert (np.diff(vtk_to_numpy(data.GetLines().GetConnectivityArray())) == 1).all()
        assert list(vtk_to_numpy(data.GetCellData().GetArray("cable"))) == list(range(len(shapes)))
        assert ends[-1] == len(points)
        for k, shape in enumerate(shapes):
            piece = slice(ends[k], ends[k + 1])
            n = np.isfinite(shape["s"][i]).sum()
            np.testing.assert_array_equal(points[piece], shape["position"][i][:n])
            for name in ("tension", "strain", "curvature", "velocity"):
                array = vtk_to_numpy(data.GetPointData().GetArray(name))[piece]
                np.testing.assert_array_equal(array, shape[name][i][:n], err_msg=name)
            arc = vtk_to_numpy(data.GetPointData().GetArray("arc_length"))[piece]
            np.testing.assert_array_equal(arc, shape["s"][i][:n].astype(np.float32))


def points_of(cell):
    return [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]


def rotation(quaternion):
    w, *v = quaternion
    x, y, z = v
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_bodies_are_their_solids_where_the_h5_says(body_frames, h5):
    for i in {0, len(body_frames) // 2, len(body_frames) - 1} if body_frames else ():
        t, path = body_frames[i]
        data = read(path)
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == t
        points = vtk_to_numpy(data.GetPoints().GetData())
        owner = vtk_to_numpy(data.GetCellData().GetArray("body"))
        assert data.GetNumberOfLines() + data.GetNumberOfPolys() == len(owner)
        for number, body in enumerate(h5["bodies"].values()):
            cells = [points_of(data.GetCell(int(c))) for c in np.flatnonzero(owner == number)]
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


def test_ends_of_cables_are_where_the_csv_says(table, frames):
    checked = 0
    for t, path in frames[:: max(1, len(frames) // 5)]:
        rows = np.flatnonzero(table["time"] == t)
        if len(rows) != 1:
            continue
        points = vtk_to_numpy(read(path).GetPoints().GetData())
        for name in table.names:
            if not name.endswith(".position.x@end"):
                continue
            end = [table[name.replace(".x@", f".{c}@")][rows[0]] for c in "xyz"]
            distance = np.linalg.norm(points - np.array(end), axis=1).min()
            assert distance < 1e-6 * max(1, np.abs(points).max()), name
            checked += 1
    assert checked >= 2
