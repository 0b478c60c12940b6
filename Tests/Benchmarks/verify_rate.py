#!/usr/bin/env python3
"""Compares how fast `verify` reads a remote with how fast rclone copies it.

    verify_rate.py BINARY [--count N] [--size MB] [--runs N] [--line MB]

rclone serves a folder with N archives of one size over WebDAV on the loopback device,
and sends no more than the line's bytes in a second. In each round, `verify` and
`rclone copy` with 16 transfers read all of it in turn. The first round does not count.
Shown are the medians of the seconds, of the processor time and of the ratios, round
by round, and the largest resident set.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

from measuring import Contender, free_port, race


def make(options, root, environment):
    """Makes one archive of random bytes, and gives it many names."""
    os.makedirs(f"{root}/source")
    os.makedirs(f"{root}/target")
    os.makedirs(f"{root}/served/archives")
    with open(f"{root}/source/noise", "wb") as file:
        file.write(os.urandom(int(options.size * 1e6)))
    with open(f"{root}/passphrase", "w") as file:
        file.write("seven words that are used for nothing else\n")
    os.chmod(f"{root}/passphrase", 0o600)
    command = [options.binary, "create", "--from", f"file:{root}/source", "--target", f"{root}/target",
               "--accept=synced-keys", "-p", f"{root}/passphrase"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True)
    names = [name for name in os.listdir(f"{root}/target") if name.endswith(".fueki")]
    if not names:
        sys.exit(made.stderr)
    for number in range(options.count):
        os.link(f"{root}/target/{names[0]}", f"{root}/served/archives/{number}.fueki")


def run(options, root):
    environment = {"PATH": os.environ["PATH"], "HOME": root, "RCLONE_CONFIG": f"{root}/rclone.conf", "TMPDIR": root}
    make(options, root, environment)
    port = free_port()
    server = subprocess.Popen(
        ["rclone", "serve", "webdav", "--bwlimit", f"{options.line * 1e6:.0f}B", "--addr", f"127.0.0.1:{port}",
         f"{root}/served"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        with open(f"{root}/rclone.conf", "w") as file:
            file.write(f"[dav]\ntype = webdav\nurl = http://127.0.0.1:{port}\nvendor = other\n")
        while subprocess.run(["rclone", "lsf", "dav:archives"], env=environment, capture_output=True).returncode:
            time.sleep(0.1)
        def forget():
            shutil.rmtree(f"{root}/copied", ignore_errors=True)

        contenders = [
            Contender("verify", [options.binary, "verify", "rclone:dav:archives", "--trusted-signer", "any", "--json"]),
            Contender("copy", ["rclone", "copy", "--transfers", "16", "dav:archives", f"{root}/copied"], prepare=forget),
        ]
        found = race("rate", contenders, options.runs, environment)
        amount = options.count * options.size
        print(f"{options.count} archives of {options.size} MB, a line of {options.line} MB/s, load {os.getloadavg()[0]:.1f}")
        for one in contenders:
            print(f"{one.name}: {one.seconds:.2f} s, {amount / one.seconds:.0f} MB/s, processor "
                  f"{one.processor_seconds:.2f} s, {one.peak_bytes >> 20} MiB")
        print(f"rate of verify to that of copy: {found['copy'].ratio(found['verify']):.2f}")
    finally:
        server.kill()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--size", type=float, default=8, metavar="MB")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--line", type=float, default=40, metavar="MB", help="megabytes in a second")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    root = tempfile.mkdtemp(prefix="verify-rate-")
    try:
        run(options, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
