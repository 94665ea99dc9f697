"""results.h5 against channels.csv."""

import re

import numpy as np
import pytest


def test_channels_are_those_of_the_csv(table, h5):
    assert list(h5["channels"]) == table.names[1:]  # in the same order
    assert len(table["time"]) > 10
    np.testing.assert_array_equal(h5["time"], table["time"])
    for name, column in h5["channels"].items():
        assert column.dtype == np.float64
        np.testing.assert_array_equal(column, table[name], err_msg=name)
        assert column.attrs["unit"] == table.units[name]


def test_attributes_are_text(h5):
    assert h5.attrs["format"] == "hawser results 2"
    for name, text in h5.attrs.items():
        assert isinstance(text, str), name


def test_everything_is_finite_and_has_a_unit(h5):
    def look(name, item):
        if hasattr(item, "dtype"):
            values = item[:]
            if re.fullmatch("shapes/.+/.+", name):  # shapes with fewer points are filled up
                values = values[np.isfinite(item.parent["s"][:])]
                assert values.size > 0
            assert np.isfinite(values).all(), name
            assert isinstance(item.attrs["unit"], str), name

    h5.visititems(look)


def test_times_run_from_the_start_to_the_end(table, h5):
    for time in (h5["time"][:], h5["shapes/time"][:]):
        assert time[0] == 0
        assert (np.diff(time) > 0).all()
        assert time[-1] == table["time"][-1]


def cables(h5):
    return {name: group for name, group in h5["shapes"].items() if name != "time"}


def test_shapes_have_the_promised_extents(h5):
    frames = len(h5["shapes/time"])
    assert cables(h5)
    for shape in cables(h5).values():
        assert shape["s"].shape[0] == frames
        assert shape["s"].dtype == np.float64
        points = shape["s"].shape[1]
        steps = np.diff(shape["s"], axis=1)
        assert (steps[np.isfinite(steps)] > 0).all()
        for field, extent in {"position": (3,), "velocity": (3,), "tension": (), "strain": (),
                              "curvature": ()}.items():
            assert shape[field].shape == (frames, points, *extent)
            assert shape[field].dtype == np.float32


def test_shapes_follow_a_change_of_mesh(h5):
    if h5.attrs["title"] != "Two cables":
        pytest.skip("the mesh does not change")
    s = h5["shapes/tether/s"][:]
    points = np.isfinite(s).sum(axis=1)
    assert len(set(points)) == 2 and points[0] == points[-1]  # divided, then merged
    assert s.shape[1] >= points.max()
    for row, n in zip(s, points):
        assert np.isfinite(row[:n]).all()
        np.testing.assert_allclose([row[0], row[n - 1]], [0, 1], atol=1e-15)
    assert np.isfinite(h5["shapes/span/s"]).all()


def test_bodies_are_where_the_channels_say(table, h5):
    frames = len(h5["shapes/time"])
    _, rows, at = np.intersect1d(table["time"], h5["shapes/time"], return_indices=True)
    for name, body in h5["bodies"].items():
        assert body.attrs["shape"] in ("none", "box", "sphere", "cylinder", "plate")
        assert body.attrs["size"].shape == (3,)
        assert body["position"].shape == (frames, 3)
        assert body["orientation"].shape == (frames, 4)
        np.testing.assert_allclose(np.linalg.norm(body["orientation"], axis=1), 1, rtol=1e-12)
        for field, letters in {"position": "xyz", "orientation": "wxyz"}.items():
            for k, letter in enumerate(letters):
                column = f"{name}.{field}.{letter}"
                if column in table.names:
                    np.testing.assert_array_equal(body[field][at, k], table[column][rows])


def test_a_load_hangs_on_its_massless_cable(table, h5):
    if "load" not in h5["bodies"]:
        pytest.skip("no massless cable")
    assert (np.ptp(table["load.orientation.z"]) > 0.1).all()  # it turns
    hook = h5["shapes/rope/position"][:, -1]
    away = np.linalg.norm(hook - h5["bodies/load/position"], axis=1)
    np.testing.assert_allclose(away, 0.5, atol=1e-5)
    sheave = h5["shapes/rope/position"][:, 1:-1] - np.array([0, 0, 2])
    np.testing.assert_allclose(np.linalg.norm(sheave, axis=2), 0.2, atol=1e-5)


def test_ends_of_shapes_are_where_the_channels_say(table, h5):
    common, rows, frames = np.intersect1d(table["time"], h5["shapes/time"], return_indices=True)
    if len(common) < 2:
        pytest.skip("rows and frames share no times")
    checked = 0
    for name in table.names:
        found = re.fullmatch(r"(.+)\.(position|velocity|tension|strain|curvature)(?:\.([xyz]))?"
                             r"@(start|end)", name)
        if not found:
            continue
        cable, quantity, component, place = found.groups()
        last = np.isfinite(h5[f"shapes/{cable}/s"]).sum(axis=1) - 1
        field = h5[f"shapes/{cable}/{quantity}"][:]
        field = field[np.arange(len(field)), 0 if place == "start" else last]
        if component:
            field = field[:, "xyz".index(component)]
        expected = table[name]
        scale = max(np.abs(expected).max(), 1e-12)
        np.testing.assert_allclose(field[frames], expected[rows], rtol=1e-6, atol=1e-6 * scale,
                                   err_msg=name)
        checked += 1
    assert checked >= 2
