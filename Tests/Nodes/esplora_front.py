#!/usr/bin/python3
"""An Esplora-shaped front over a node of the Bitcoin family: real blocks, real transactions, an index of its own.

Esplora itself cannot be installed here. This reads every block from the node by RPC, and the mempool at each request,
so that reorganisations show as they happen. For chains of some hundred blocks: it keeps everything in memory.

    esplora_front.py http://user:password@127.0.0.1:19443 [--page N]

Prints the port that it listens on, on 127.0.0.1. Amounts are whole numbers of the smallest unit, as Esplora's are.
`--page` is how many confirmed transactions one answer has: 25, as Esplora's do. Every request is a line on standard
error, so that a test can count them.
"""

import argparse
import base64
import decimal
import hashlib
import http.client
import http.server
import json
import sys
import threading
import urllib.parse


class Node:
    """The node, by JSON-RPC."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.place = (parts.hostname, parts.port)
        token = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
        self.headers = {"Authorization": "Basic " + token, "Content-Type": "application/json"}

    def call(self, method, *arguments):
        connection = http.client.HTTPConnection(*self.place, timeout=20)
        body = json.dumps({"id": 1, "method": method, "params": arguments})
        connection.request("POST", "/", body, self.headers)
        answer = json.loads(connection.getresponse().read(), parse_float=decimal.Decimal)
        connection.close()
        if answer["error"]:
            raise LookupError(answer["error"]["message"])
        return answer["result"]


class Index:
    """Which transactions each script has, on the best chain and in the mempool."""

    def __init__(self, node):
        self.node = node
        self.blocks = {}  # by hash, also of chains that lost
        self.waiting = {}  # by id
        self.chain = []
        self.transactions = {}
        self.scripts = {}
        self.lock = threading.Lock()

    def refresh(self):
        tip = self.node.call("getbestblockhash")
        is_same = bool(self.chain) and self.chain[-1]["hash"] == tip
        if not is_same:
            chain = []
            while tip:
                if tip not in self.blocks:
                    self.blocks[tip] = self.node.call("getblock", tip, 2)
                chain.append(self.blocks[tip])
                tip = chain[-1].get("previousblockhash")
            self.chain = chain[::-1]
        ids = self.node.call("getrawmempool")
        if is_same and set(ids) == set(self.waiting):
            return
        self.waiting = {i: self.waiting.get(i) or self.node.call("getrawtransaction", i, True) for i in ids}
        self.transactions = {}
        self.scripts = {}
        for block in self.chain:
            for transaction in block["tx"]:
                self.add(transaction, block)
        # Of those that spend one another the spent one comes first.
        left = dict(self.waiting)
        while left:
            ready = [i for i, t in left.items() if not any(v["txid"] in left for v in t["vin"])]
            for i in ready:
                self.add(left.pop(i), None)

    def add(self, transaction, block):
        entry = {
            "txid": transaction["txid"],
            "version": transaction["version"],
            "locktime": transaction["locktime"],
            "size": transaction["size"],
            "weight": transaction["weight"],
            "vin": [self.input(spent) for spent in transaction["vin"]],
            "vout": [output(made) for made in transaction["vout"]],
            "status": status(block),
        }
        paid = sum(coin["value"] for coin in entry["vout"])
        spent = [coin["prevout"]["value"] for coin in entry["vin"] if coin["prevout"]]
        entry["fee"] = sum(spent) - paid if spent else 0
        self.transactions[entry["txid"]] = (entry, transaction["hex"])
        coins = [coin["prevout"] for coin in entry["vin"] if coin["prevout"]] + entry["vout"]
        for script in {coin["scriptpubkey"] for coin in coins}:
            self.scripts.setdefault(script, []).append(entry)

    def input(self, spent):
        if "coinbase" in spent:
            spent = {"txid": "0" * 64, "vout": 0xFFFFFFFF, "scriptSig": {"hex": spent["coinbase"]}, **spent}
            prevout = None
        else:
            prevout = self.transactions[spent["txid"]][0]["vout"][spent["vout"]]
        return {
            "txid": spent["txid"],
            "vout": spent["vout"],
            "prevout": prevout,
            "scriptsig": spent["scriptSig"]["hex"],
            "witness": spent.get("txinwitness", []),
            "is_coinbase": prevout is None,
            "sequence": spent["sequence"],
        }

    def history(self, script, confirmed):
        entries = [e for e in self.scripts.get(script, []) if e["status"]["confirmed"] == confirmed]
        return entries[::-1]

    def statistics(self, script, confirmed):
        sums = {"funded_txo_count": 0, "funded_txo_sum": 0, "spent_txo_count": 0, "spent_txo_sum": 0}
        entries = self.history(script, confirmed)
        for entry in entries:
            for name, coins in (("funded", entry["vout"]), ("spent", [c["prevout"] for c in entry["vin"]])):
                values = [coin["value"] for coin in coins if coin and coin["scriptpubkey"] == script]
                sums[name + "_txo_count"] += len(values)
                sums[name + "_txo_sum"] += sum(values)
        return {"tx_count": len(entries), **sums}

    def block(self, digest):
        block = self.blocks[digest]
        fields = ("height", "version", "size", "weight", "mediantime", "nonce", "previousblockhash")
        return {
            **{name: block.get(name) for name in fields},
            "id": digest,
            "timestamp": block["time"],
            "tx_count": block["nTx"],
            "merkle_root": block["merkleroot"],
            "bits": int(block["bits"], 16),
            "difficulty": float(block["difficulty"]),
        }


def output(made):
    script = made["scriptPubKey"]
    coin = {
        "scriptpubkey": script["hex"],
        "scriptpubkey_asm": script["asm"],
        "scriptpubkey_type": script["type"],
        "value": int(made["value"] * 100_000_000),
    }
    # Multi-signature scripts name the addresses of their keys, to which they do not belong.
    if len(script.get("addresses", [])) == 1 and script["type"] != "pubkey":
        coin["scriptpubkey_address"] = script["addresses"][0]
    return coin


def status(block):
    if block is None:
        return {"confirmed": False}
    return {
        "confirmed": True,
        "block_height": block["height"],
        "block_hash": block["hash"],
        "block_time": block["time"],
    }


class Front(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = [part for part in self.path.split("?")[0].split("/") if part]
        try:
            with self.server.index.lock:
                self.server.index.refresh()
                answer = self.answer(parts)
        except (LookupError, ValueError) as error:
            return self.reply(404, f"not found: {error}")
        self.reply(200, answer if isinstance(answer, str) else json.dumps(answer))

    def answer(self, parts):
        index = self.server.index
        match parts:
            case ["blocks", "tip", "height"]:
                return str(len(index.chain) - 1)
            case ["blocks", "tip", "hash"]:
                return index.chain[-1]["hash"]
            case ["blocks", *start]:
                height = int(start[0]) if start else len(index.chain) - 1
                chain = index.chain[: height + 1]
                return [index.block(block["hash"]) for block in chain[-10:][::-1]]
            case ["block-height", height]:
                return index.chain[int(height)]["hash"]
            case ["block", digest]:
                return index.block(digest)
            case ["block", digest, "header"]:
                return index.node.call("getblockheader", digest, False)
            case ["tx", name]:
                return index.transactions[name][0]
            case ["tx", name, "status"]:
                # Esplora's server says the same of one that it never saw.
                known = index.transactions.get(name)
                return known[0]["status"] if known else {"confirmed": False}
            case ["tx", name, "hex"]:
                return index.transactions[name][1]
            case ["fee-estimates"]:
                return {"1": 1.0}
            case ["address" | "scripthash" as kind, name, *rest]:
                return self.about(kind, name, self.script(kind, name), rest)
        raise LookupError(self.path)

    def script(self, kind, name):
        index = self.server.index
        if kind == "address":
            facts = index.node.call("validateaddress", name)
            if not facts["isvalid"]:
                raise LookupError(name)
            return facts["scriptPubKey"]
        digest = lambda script: hashlib.sha256(bytes.fromhex(script)).hexdigest()
        return next((script for script in index.scripts if digest(script) == name), "")

    def about(self, kind, name, script, rest):
        index = self.server.index
        confirmed = index.history(script, True)
        waiting = index.history(script, False)[:50]
        page = self.server.page
        match rest:
            case []:
                return {
                    kind: name,
                    "chain_stats": index.statistics(script, True),
                    "mempool_stats": index.statistics(script, False),
                }
            case ["txs"]:
                return waiting + confirmed[:page]
            case ["txs", "mempool"]:
                return waiting
            case ["txs", "chain"]:
                return confirmed[:page]
            case ["txs", "chain", last]:
                place = [entry["txid"] for entry in confirmed].index(last)
                return confirmed[place + 1 :][:page]
        raise LookupError(self.path)

    def reply(self, code, text):
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("node")
    parser.add_argument("--page", type=int, default=25)
    arguments = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Front)
    server.daemon_threads = True
    server.index = Index(Node(arguments.node))
    server.page = arguments.page
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
