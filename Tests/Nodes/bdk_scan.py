"""Scans a wallet through an Esplora server with BDK, a library that others wrote, and prints what it finds as JSON.

    bdk_scan.py URL GENESIS_HASH EXTERNAL INTERNAL STOP_GAP

Networks that BDK does not know are scanned as regtest: the scripts are the same, and only addresses look different.
"""

import json
import sys

import bdkpython as bdk

url, genesis, external, internal, stop_gap = sys.argv[1:]
network = bdk.Network.REGTEST
descriptors = [bdk.Descriptor(text, bdk.NetworkKind.TEST) for text in (external, internal)]
parameters = bdk.CreateParams(
    genesis_hash=bdk.BlockHash.from_string(genesis), lookahead=25, use_spk_cache=False
)
wallet = bdk.Wallet.create_with_params(
    *descriptors, network=network, persister=bdk.Persister.new_in_memory(), params=parameters
)
client = bdk.EsploraClient(url)
wallet.apply_update(client.full_scan(wallet.start_full_scan().build(), int(stop_gap), 4))

keychains = {"external": bdk.KeychainKind.EXTERNAL, "internal": bdk.KeychainKind.INTERNAL}
scripts = {
    name: [bytes(wallet.peek_address(keychain, i).address.script_pubkey().to_bytes()).hex() for i in range(60)]
    for name, keychain in keychains.items()
}
history = {}
for entry in wallet.transactions():
    amounts = wallet.sent_and_received(entry.transaction)
    txid = str(entry.transaction.compute_txid())
    history[txid] = amounts.received.to_sat() - amounts.sent.to_sat()
print(
    json.dumps(
        {
            "balance": wallet.balance().total.to_sat(),
            "height": wallet.latest_checkpoint().height,
            "last": {name: wallet.derivation_index(keychain) for name, keychain in keychains.items()},
            "scripts": scripts,
            "history": history,
        }
    )
)
