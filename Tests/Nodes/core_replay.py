#!/usr/bin/env python3
"""A stand-in for Bitcoin Core's RPC: core_replay.py DATADIR FILE.

No node: nothing is derived or signed. DATADIR is a data directory with a `.cookie`, whose wallets are the folders of
`wallets`. `backupwallet` copies the wallet's file, as it lies. FILE gets the port, and each request that was answered
is a line of DATADIR/asked. The server ends when FILE, or who started it, is gone.
"""

import base64
import http.server
import json
import os
import shutil
import sys
import threading
import time
import urllib.parse

DATADIR, FILE = sys.argv[1:]
PARENT = os.getppid()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(DATADIR + "/.cookie", "rb") as file:
            cookie = base64.b64encode(file.read()).decode()
        if self.headers.get("Authorization") != "Basic " + cookie:
            return self.send(401, b"")
        name = urllib.parse.unquote(self.path.removeprefix("/wallet/"))
        result, error = self.answer(question["method"], question.get("params", []), name)
        with open(DATADIR + "/asked", "a") as asked:
            asked.write("%s %s %s\n" % (self.path, question["method"], json.dumps(question.get("params", []))))
        # As the node of that time: an error has a status of its own.
        body = {"result": result, "error": error, "id": question["id"]}
        self.send(500 if error else 200, json.dumps(body).encode())

    def answer(self, method, parameters, name):
        if method == "listwallets":
            return sorted(os.listdir(DATADIR + "/wallets")), None
        if method == "backupwallet":
            shutil.copyfile("%s/wallets/%s/wallet.dat" % (DATADIR, name), parameters[0])
            return None, None
        return None, {"code": -32601, "message": "Method not found"}

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(FILE + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(FILE + ".new", FILE)
while os.path.exists(FILE) and os.getppid() == PARENT:
    time.sleep(0.1)
