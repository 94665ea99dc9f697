"""The JSON Schema of scene files, by validators that know nothing of Hawser."""

import json
import os
import pathlib
import subprocess

import jsonschema
import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAWSER = os.environ.get("HAWSER", str(ROOT / "build" / "hawser"))


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and Hawser read it: `on` is a word, not true."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", yaml.resolver.re.compile("^(?:true|false)$"), list("tf")
)


@pytest.fixture(scope="session")
def schema():
    done = subprocess.run([HAWSER, "schema"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def validator(schema):
    return jsonschema.Draft7Validator(schema)


def load(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader)


def whole_scenes():
    return sorted((ROOT / "tests/scene/whole").glob("*.yaml"))


def shipped_scenes():
    """Those that are scenes of their own; the rest is included by others."""
    return [p for p in sorted((ROOT / "scenes").rglob("*.yaml")) if "cables" in (load(p) or {})]


def test_schema_is_sound(schema):
    jsonschema.Draft7Validator.check_schema(schema)


def test_every_field_is_described(schema):
    def walk(node, path):
        for name, field in node.get("properties", {}).items():
            assert field.get("description") or path.endswith("clamp"), f"{path}.{name}"
            walk(field, f"{path}.{name}")
            walk(field.get("additionalProperties") or {}, f"{path}.{name}")

    walk(schema, "")


@pytest.mark.parametrize("path", whole_scenes() + shipped_scenes(), ids=lambda p: p.stem)
def test_scenes_are_valid(validator, path):
    scene = load(path)
    # An included file may hold what a scene must have.
    errors = [e.message for e in validator.iter_errors(scene)]
    assert errors == []


BROKEN = {
    "typo-in-field": "elemnts",
    "unknown-word": "newmarc",
    "two-components": "[0, '10 m'] is too short",
    "missing-section": "'section' is a required property",
    "list-at-top": "is not of type 'object'",
    "library-name": "wire-rope-6x9",
    "half-an-element": "20.5",
    "sine-without-frequency": "sine",
    "no-cables": "is not valid under any of the given schemas",
}


@pytest.mark.parametrize("name, word", BROKEN.items(), ids=lambda x: None)
def test_broken_scenes_are_not(validator, name, word):
    (path,) = (ROOT / "tests/scene/broken").glob(f"*-{name}.yaml")
    errors = " ".join(e.message for e in validator.iter_errors(load(path)))
    assert word in errors
