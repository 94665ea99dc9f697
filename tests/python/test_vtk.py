"""results.pvd and its frames, read by VTK, against results.h5."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


@pytest.fixture(scope="module")
def frames(folder):
    entries = ElementTree.parse(folder / "results.pvd").findall("Collection/DataSet")
    return [(float(e.get("timestep")), folder / e.get("file")) for e in entries]


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


def test_the_collection_names_every_frame_once(folder, frames, h5):
    np.testing.assert_array_equal([t for t, _ in frames], h5["shapes/time"])
    assert sorted(path for _, path in frames) == sorted((folder / "vtk").iterdir())


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
            np.testing.assert_array_equal(points[piece], shape["position"][i])
            for name in ("tension", "strain", "curvature", "velocity"):
                array = vtk_to_numpy(data.GetPointData().GetArray(name))[piece]
                np.testing.assert_array_equal(array, shape[name][i], err_msg=name)
            arc = vtk_to_numpy(data.GetPointData().GetArray("arc_length"))[piece]
            np.testing.assert_array_equal(arc, shape["s"][:].astype(np.float32))


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
