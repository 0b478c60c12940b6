#!/usr/bin/env python3
"""Servers that misbehave, before a JSON-RPC node: faulty_server.py NODE FILE.

Each manner has a port of its own; FILE gets them as one JSON object, and the servers end when it, or who started them,
is gone. A manner's first requests are answered as it says, and the others, where there are any, by the node. Posted to at
/asked, it says how many there were.
"""

import http.server
import json
import os
import socket
import sys
import threading
import time
import urllib.request

NODE = sys.argv[1]
ALWAYS = 1 << 40


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        if self.path == "/asked":
            return self.send(200, json.dumps({"result": self.server.asked}).encode())
        question = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.asked += 1
            is_due = self.server.asked <= self.server.times
        if is_due and self.server.manner is not None:
            self.close_connection = True
            return self.server.manner(self)
        answer = urllib.request.urlopen(
            urllib.request.Request(NODE, question, {"Content-Type": "application/json"})
        ).read()
        if self.server.alter:
            answer = self.altered(json.loads(question), json.loads(answer))
        self.send(200, answer)

    def altered(self, question, answer):
        pairs = zip(question, answer) if isinstance(question, list) else [(question, answer)]
        for asked, answered in pairs:
            if asked["method"] in self.server.alter:
                answered["result"] = self.server.alter[asked["method"]]
        return json.dumps(answer).encode()

    def send(self, status, body, **headers):
        self.head(status, len(body), **headers)
        self.wfile.write(body)

    def head(self, status, length, **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    # MARK: manners

    def rate(self):
        self.send(429, b"", Retry_After="1")

    def broken(self):
        self.send(503, b"out of order")

    def drop(self):
        self.connection.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.head(200, 1000)
        self.wfile.write(b'{"jsonrpc')

    def drip(self):
        self.head(200, 1000)
        self.last(b" ", 1)

    def long(self):
        self.head(200, 64 << 20)
        self.last(b" " * 65536, 0)

    def last(self, piece, pause):
        """Goes on until the other side has had enough."""
        try:
            for _ in range(1000):
                self.wfile.write(piece)
                time.sleep(pause)
        except OSError:
            pass


# How often, how, and what is not the node's own answer.
MANNERS = {
    "well": (0, None, {}),
    "rate": (2, Handler.rate, {}),
    "rate-always": (ALWAYS, Handler.rate, {}),
    "broken": (2, Handler.broken, {}),
    "broken-always": (ALWAYS, Handler.broken, {}),
    "drop": (2, Handler.drop, {}),
    "drop-always": (ALWAYS, Handler.drop, {}),
    "cut": (2, Handler.cut, {}),
    "cut-always": (ALWAYS, Handler.cut, {}),
    "drip": (1, Handler.drip, {}),
    "drip-always": (ALWAYS, Handler.drip, {}),
    "long-always": (ALWAYS, Handler.long, {}),
    "other-chain": (0, None, {"eth_chainId": "0x1"}),
    "empty": (0, None, {"eth_getBalance": "0x0", "eth_getTransactionCount": "0x0", "eth_getLogs": []}),
}


def main():
    ports = {}
    for name, (times, manner, alter) in MANNERS.items():
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.lock, server.asked = threading.Lock(), 0
        server.times, server.manner, server.alter = times, manner, alter
        ports[name] = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
    parent = os.getppid()
    with open(sys.argv[2] + ".new", "w") as file:
        json.dump(ports, file)
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    while os.path.exists(sys.argv[2]) and os.getppid() == parent:
        time.sleep(0.2)


main()
