#!/usr/bin/env python3
"""Measures what commands take for a bucket with the archives of many vaults, through rclone.

    fleet_s3.py BINARY FOLDER [--copies N] [--latency MS] [--verified N] [--names N] [--limit S]

FOLDER was made by fleet.py --keep. moto serves S3 on the loopback device and
waits for the latency before it answers. The bucket has each archive N times, under
names of its own: a copy costs the same requests and bytes as another archive, but
has the id of the first. Smaller buckets have one archive of each vault, in one
folder and in a folder for each vault. For each command: time, processor time, the
largest resident set of one process, the requests that the server saw, and the bytes
that it sent. A command that takes longer than the limit is stopped and shown as such.

The server is one Python process, so requests a second say more about it than about
a real service. Run it with a Python that has moto: .build/python/bin/python.
"""

import argparse
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from measuring import free_port

BUCKET = "fleet"


class Counting:
    """A WSGI application that waits before each answer, and counts requests and bytes."""

    def __init__(self, application):
        self.application = application
        self.latency = 0.0
        self.lock = threading.Lock()
        self.forget()

    def forget(self):
        self.requests = collections.Counter()
        self.bytes = 0
        self.open = self.most_open = 0

    def __call__(self, environ, start):
        path = environ["PATH_INFO"]
        if path.startswith("/__latency/"):
            self.latency = float(path.rsplit("/", 1)[1]) / 1000
        if path.startswith("/__"):
            with self.lock:
                body = json.dumps({"requests": self.requests, "bytes": self.bytes, "open": self.most_open}).encode()
                self.forget()
            start("200 OK", [("Content-Length", str(len(body)))])
            return [body]
        is_list = "list-type" in environ.get("QUERY_STRING", "") or path.count("/") < 2
        kind = environ["REQUEST_METHOD"] + (" list" if is_list else "")
        if environ.get("HTTP_RANGE"):
            kind += " range"
        with self.lock:
            self.requests[kind] += 1
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        time.sleep(self.latency)
        try:
            body = b"".join(self.application(environ, start))
        finally:
            with self.lock:
                self.open -= 1
        with self.lock:
            self.bytes += len(body) if environ["REQUEST_METHOD"] != "HEAD" else 0
        return [body]


def serve(port, folder, copies, verified, names):
    from moto.backends import get_backend
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import WSGIRequestHandler, make_server

    backend = get_backend("s3")["123456789012"]["aws"]
    for bucket in (BUCKET, "part", "folders", "names"):
        backend.create_bucket(bucket, "us-east-1")
    archives = sorted(name for name in os.listdir(folder) if name.endswith(".fueki"))
    for number, name in enumerate(archives):
        contents = open(f"{folder}/{name}", "rb").read()
        for copy in range(copies):
            # A later time in the name makes it one of its own.
            backend.put_object(BUCKET, "fleet/" + re.sub(r"T(\d\d)", f"T0{copy}", name, count=1), contents)
        if number < verified:
            backend.put_object("part", f"fleet/{name}", contents)
            backend.put_object("folders", f"{name.split('-')[0]}/{name}", contents)
    for number in range(names):
        backend.put_object("names", f"fleet/vault{number}-20261126T000000Z-000001-{number:012x}.fueki", b"not an archive")

    class Quiet(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_request(self, *_):
            pass

    application = Counting(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", port, application, threaded=True, request_handler=Quiet)
    print("ready", flush=True)
    server.serve_forever()


def control(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/__{path}") as answer:
        return json.load(answer)


def measured(command, environment, limit):
    """Runs a command, and stops it after so many seconds; returns its figures and how it ended."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True,
    )
    stop = threading.Timer(limit, lambda: os.killpg(process.pid, signal.SIGINT))
    stop.start()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    stop.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, errors


def run(options, root):
    port = free_port()
    count = len([name for name in os.listdir(options.folder) if name.endswith(".fueki")])
    server = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--serve", str(port), options.binary, options.folder,
         "--copies", str(options.copies), "--verified", str(options.verified), "--names", str(options.names)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": root, "AWS_ACCESS_KEY_ID": "person", "AWS_SECRET_ACCESS_KEY": "word"},
    )
    try:
        if server.stdout.readline() != b"ready\n":
            sys.exit("the server did not start: is moto in this Python?")
        with open(f"{root}/rclone.conf", "w") as file:
            file.write(
                "[s3]\ntype = s3\nprovider = Other\naccess_key_id = person\nsecret_access_key = word\n"
                f"endpoint = http://127.0.0.1:{port}\nforce_path_style = true\nregion = us-east-1\n"
            )
        environment = {
            "PATH": os.environ["PATH"], "HOME": root, "FUEKI_STATE": f"{root}/state", "RCLONE_CONFIG": f"{root}/rclone.conf",
        }
        control(port, f"latency/{options.latency}")
        # Where these commands read, and how many archives are there.
        whole, part = (f"rclone:s3:{BUCKET}/fleet", count * options.copies), ("rclone:s3:part/fleet", options.verified)
        folders = ("rclone:s3:folders", options.verified)
        names = ("rclone:s3:names/fleet", options.names)
        copy = ["rclone", "copy", "--s3-no-head-object", "--transfers", "16"]
        runs = [
            ("list of names by rclone", names, ["rclone", "lsf", "s3:names/fleet"]),
            ("list", part, [options.binary, "list", part[0], "--json"]),
            ("status", part, [options.binary, "status", "--target", part[0], "--json"]),
            ("status --recursive", folders, [options.binary, "status", "--target", folders[0], "--recursive", "--json"]),
            ("verify", part, [options.binary, "verify", part[0], "--json"]),
            ("copy by rclone", part, copy + ["s3:part/fleet", f"{root}/copied"]),
            ("list", whole, [options.binary, "list", whole[0], "--json"]),
            ("list", names, [options.binary, "list", names[0], "--json"]),
        ]
        print(f"latency {options.latency} ms, load {os.getloadavg()[0]:.1f}")
        print("| command | archives | seconds | processor | memory | requests | at once | MB sent |\n|" + "---|" * 8, flush=True)
        for name, (_, archives), command in runs:
            if archives == 0 or options.only and name not in options.only:
                continue
            control(port, "stats")
            seconds, processor, mebibytes, status, errors = measured(command, environment, options.limit)
            seen = control(port, "stats")
            requests = ", ".join(f"{number} {kind}" for kind, number in sorted(seen["requests"].items()))
            # 3 and 60 are judgements on the archives.
            ended = "" if status in (0, 3, 60) else f" (stopped after {seconds:.0f} s)" if seconds >= options.limit else f" (status {status})"
            print(
                f"| {name}{ended} | {archives} | {seconds:.1f} | {processor:.1f} | {mebibytes:.0f} MiB | {requests} | {seen['open']}"
                f" | {seen['bytes'] / 1e6:.1f} |", flush=True,
            )
            if ended and seconds < options.limit:
                print(errors.decode(errors="replace")[-500:], file=sys.stderr)
    finally:
        server.kill()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--latency", type=float, default=30, metavar="MS")
    parser.add_argument("--verified", type=int, default=400, help="archives in smaller folders, of which one is verified, too")
    parser.add_argument("--names", type=int, default=100_000, help="objects that are listed")
    parser.add_argument("--limit", type=float, default=600, metavar="S")
    parser.add_argument("--only", nargs="+", help="the names of the commands to run")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.binary, options.folder = os.path.abspath(options.binary), os.path.abspath(options.folder)
    if os.path.isdir(f"{options.folder}/bucket"):
        options.folder += "/bucket"
    if options.serve is not None:
        serve(options.serve, options.folder, options.copies, options.verified, options.names)
        return
    root = tempfile.mkdtemp(prefix="fleet-s3-")
    try:
        run(options, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
