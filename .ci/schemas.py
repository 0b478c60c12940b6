#!/usr/bin/env python3
"""Validates JSON documents of the program, each against the schema that its own "schema" names."""

import json
import os
import re
import sys

from jsonschema import Draft202012Validator

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SCHEMAS = os.path.join(ROOT, "Sources/fueki-backup/Schemas")


def validator(name):
    """The validator of documents that call themselves name, such as "fueki.list/1"."""
    if not re.fullmatch(r"fueki\.[a-z-]+/\d+", name):
        raise ValueError(f"{name!r} names no schema")
    path = os.path.join(SCHEMAS, name.removeprefix("fueki.").replace("/", "-") + ".json")
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults(path):
    """What is wrong with the document in a file."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    name = document.get("schema", "")
    for error in validator(name).iter_errors(document):
        # Of several forms the fault in the one that comes nearest says more than that none fits.
        for detail in [error, *error.context]:
            yield f"{path}: {name}: {detail.json_path}: {detail.message}"


def main():
    """Prints every fault, or how many documents have none."""
    found = [fault for path in sys.argv[1:] for fault in faults(path)]
    print("\n".join(found) or f"{len(sys.argv) - 1} documents are as their schemas say")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
