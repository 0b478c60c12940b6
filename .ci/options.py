#!/usr/bin/env python3
"""Compares the options of the program given with those that its manual pages list: each has to have the other's."""

import json
import os
import re
import subprocess
import sys

MAN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "man")


def documented(page):
    """The options with an entry of their own in a page, such as {"-q", "--quiet"}."""
    found = set()
    with open(os.path.join(MAN, page), encoding="utf-8") as file:
        for line in file:
            if line.startswith(".It Fl "):
                found |= {"-" + name for name in re.findall(r"Fl ([\w-]+)", line)}
    return found


def offered(command):
    """A command's options, with those that only --help-all lists; of a group of commands, those of all of them, which
    share one page."""
    found = set()
    for below in command.get("subcommands", ()):
        if below["commandName"] != "help":
            found |= offered(below)
    for argument in command.get("arguments", ()):
        if argument["kind"] == "positional":
            continue
        for name in argument.get("names", ()):
            found.add(("--" if name["kind"] == "long" else "-") + name["name"])
    # ArgumentParser adds these everywhere; the page of the whole program has --version.
    return found - {"--version", "-h", "--help"}


def main():
    run = subprocess.run([sys.argv[1], "--experimental-dump-help"], capture_output=True, check=True)
    root = json.loads(run.stdout)["command"]
    subcommands = [c for c in root["subcommands"] if c["commandName"] != "help"]
    commands = {c["commandName"]: offered(c) for c in subcommands}
    pages = {p[len("fueki-backup-") : -2] for p in os.listdir(MAN) if re.fullmatch(r"fueki-backup-.*\.1", p)}
    faults = [f"{name} has no page" for name in sorted(commands.keys() - pages)]
    faults += [f"there is a page for {name}, and no such command" for name in sorted(pages - commands.keys())]
    for name in sorted(commands.keys() & pages):
        listed = documented(f"fueki-backup-{name}.1") - {"-h", "--help"}
        faults += [f"{name}: {option} is not in its page" for option in sorted(commands[name] - listed)]
        faults += [f"{name}: its page lists {option}" for option in sorted(listed - commands[name])]
    everywhere = set.intersection(*commands.values()) | {"--version", "-h", "--help"}
    listed = documented("fueki-backup.1")
    faults += [f"{option} is not in fueki-backup.1" for option in sorted(everywhere - listed)]
    faults += [f"fueki-backup.1 lists {option}" for option in sorted(listed - everywhere)]
    print("\n".join(faults) or f"the options of {len(commands)} commands are those of their pages")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
