#!/usr/bin/env python3
"""py-evm, a real Ethereum virtual machine, behind JSON-RPC over HTTP on this machine.

evm_node.py CHAIN_ID FILE writes its port into FILE once it listens, and ends when that file, or who started it, is
gone. Methods for tests, besides evm_snapshot, evm_revert and evm_mine_many:
test_fault [{"kind": K, "times": N, "method": M}] has the next N calls (of method M) answered with a fault;
test_requests [] counts what was asked, by method.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from eth_tester import EthereumTester, PyEVMBackend
from web3 import EthereumTesterProvider, Web3
from web3.datastructures import AttributeDict

CHAIN_ID = int(sys.argv[1])
# Its accounts' keys are 1, 2, 3, … and each has 1,000,000 ether.
provider = EthereumTesterProvider(EthereumTester(PyEVMBackend()))
web3 = Web3(provider)
web3.middleware_onion.clear()
call = provider.request_func(web3, web3.middleware_onion)
lock = threading.Lock()
faults = []
counts = {}

def camel(name):
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def shaped(value):
    """A value as nodes write it: hexadecimal, and names in camel case."""
    if isinstance(value, (dict, AttributeDict)):
        return {camel(k): shaped(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [shaped(v) for v in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, (bytes, bytearray)):
        return "0x" + bytes(value).hex()
    return value


def answer(request):
    method, params = request["method"], request.get("params", [])
    reply = {"jsonrpc": "2.0", "id": request.get("id")}
    counts[method] = counts.get(method, 0) + 1
    if method == "test_fault":
        faults.append(dict(params[0]))
        return reply | {"result": True}
    if method == "test_requests":
        return reply | {"result": dict(counts)}
    if method == "eth_chainId":
        return reply | {"result": hex(CHAIN_ID)}
    if method == "evm_mine_many":
        provider.ethereum_tester.mine_blocks(params[0])
        return reply | {"result": True}
    result = call(method, params)
    if "error" in result and result["error"]:
        error = result["error"]
        if isinstance(error, str):
            error = {"code": -32000, "message": error}
        if "not found" in str(error).lower():
            return reply | {"result": None}
        return reply | {"error": error}
    return reply | {"result": shaped(result["result"])}


def guarded(request):
    with lock:
        try:
            return answer(request)
        except Exception as problem:  # whatever the chain has against a call is the caller's business
            if "NotFound" in type(problem).__name__:
                return {"jsonrpc": "2.0", "id": request.get("id"), "result": None}
            message = f"{type(problem).__name__}: {problem}"
            return {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": -32000, "message": message}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        methods = {r["method"] for r in (body if isinstance(body, list) else [body])}
        if self.fault(methods):
            return
        reply = [guarded(r) for r in body] if isinstance(body, list) else guarded(body)
        self.send(200, json.dumps(reply).encode())

    def send(self, status, body, **headers):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def fault(self, methods):
        """Answers as the next fault that is due says; False where none is."""
        if "test_fault" in methods:
            return False
        with lock:
            due = next((f for f in faults if f.get("method") in (None, *methods) and f["times"] > 0), None)
            if due is None:
                return False
            due["times"] -= 1
        kind = due["kind"]
        if kind == "rate":
            self.send(429, b"", Retry_After=str(due.get("seconds", 0)))
        elif kind == "status":
            self.send(due["status"], b"out of order")
        elif kind == "drop":
            self.close_connection = True
            self.connection.close()
        elif kind == "slow":
            time.sleep(due["seconds"])
            self.send(503, b"")
        return True


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    parent = os.getppid()
    # Renamed, so that whoever waits for it never reads half a number.
    with open(sys.argv[2] + ".new", "w") as file:
        file.write(str(server.server_address[1]))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    while os.path.exists(sys.argv[2]) and os.getppid() == parent:
        time.sleep(0.2)


main()
