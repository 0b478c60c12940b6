#!/usr/bin/python3
"""Stands in for the program bark, which cannot be installed here: a stub, and no evidence of what bark does.

It answers from `stub.json` in its data directory: an object with an answer for each command, by the command's words
without its options, and how it behaves: `warning`, for standard error; `delay`, in seconds; `status`. What it was
asked is noted in `asked`, and so is a second process in the same directory.

    bark_stub.py --check OPENAPI STUB_JSON

compares the answers with what bark's own description of its answers says, instead.
"""

import json
import os
import pathlib
import sys
import time

SCHEMAS = {
    "balance": ("Balance", False),
    "history": ("Movement", True),
    "vtxos": ("WalletVtxoInfo", True),
    "onchain balance": ("OnchainBalance", False),
    "onchain transactions": ("WalletTxInfo", True),
}


def check(description, answers):
    import jsonschema

    document = json.loads(pathlib.Path(description).read_text())
    answers = json.loads(pathlib.Path(answers).read_text())
    for command, (name, is_list) in SCHEMAS.items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        checker = jsonschema.Draft202012Validator(schema)
        for value in answers[command] if is_list else [answers[command]]:
            checker.validate(value)
        print(command)


def main():
    if sys.argv[1] == "--check":
        return check(*sys.argv[2:])
    assert sys.argv[1] == "--datadir"
    folder = pathlib.Path(sys.argv[2])
    words = sys.argv[3:]
    with (folder / "asked").open("a") as asked:
        print(" ".join(words), file=asked)
    mark = folder / "running"
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        with (folder / "asked").open("a") as asked:
            print("two at a time", file=asked)
    stub = json.loads((folder / "stub.json").read_text())
    time.sleep(stub.get("delay", 0))
    if "warning" in stub and "--no-sync" not in words:
        print(stub["warning"], file=sys.stderr)
    print(json.dumps(stub.get(" ".join(word for word in words if not word.startswith("-")))))
    mark.unlink(missing_ok=True)
    sys.exit(stub.get("status", 0))


if __name__ == "__main__":
    main()
