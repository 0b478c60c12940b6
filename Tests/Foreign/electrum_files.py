#!/usr/bin/python3
"""Writes wallet files with Electrum itself (Debian's python3-electrum): electrum_files.py FOLDER

plain; fields (its secrets encrypted); whole (all of it encrypted); phrase (with a passphrase of the seed); watching;
multisig (2 of 3). The seed is public and must never be given money. The passphrase of all is PASSPHRASE.
"""
import json
import os
import sys

from electrum import constants, keystore, util
from electrum.simple_config import SimpleConfig
from electrum.storage import WalletStorage
from electrum.wallet import Multisig_Wallet, restore_wallet_from_text
from electrum.wallet_db import WalletDB

SEED = "salmon nut prepare actual steel elder strike crawl hint thank unhappy river"
PASSPHRASE = "pässword 1"

folder = sys.argv[1]
util.create_and_start_event_loop()
constants.set_regtest()
config = SimpleConfig({"electrum_path": folder + "/.electrum", "offline": True})


def restore(name, text, password=None, whole=False, passphrase=None):
    made = restore_wallet_from_text(
        text, path=f"{folder}/{name}", config=config, password=password, encrypt_file=whole,
        passphrase=passphrase, gap_limit=2)
    wallet = made["wallet"]
    wallet.set_label(wallet.get_receiving_address(), "Miete für März")
    wallet.contacts["bcrt1q8q9ye6zy9dkqz9hl7v4s4jae9y3h8aj9mufh7z"] = ("address", "Bob")
    wallet.set_frozen_state_of_addresses([wallet.get_receiving_addresses()[1]], True)
    wallet.save_db()
    return wallet


plain = restore("plain", SEED)
restore("fields", SEED, PASSPHRASE)
restore("whole", SEED, PASSPHRASE, whole=True)
restore("phrase", SEED, PASSPHRASE, passphrase="extra words")
watching = restore("watching", plain.get_master_public_key())

database = WalletDB("", manual_upgrades=False)
database.put("wallet_type", "2of3")
for index, passphrase in enumerate(["", "one", "two"]):
    store = keystore.from_seed(SEED, passphrase, True)
    database.put(f"x{index + 1}/", store.dump())
database.put("gap_limit", 2)
database.write(WalletStorage(f"{folder}/multisig"))
several = Multisig_Wallet(database, WalletStorage(f"{folder}/multisig"), config=config)
several.synchronize()
several.save_db()

with open(f"{folder}/expected.json", "w") as file:
    json.dump({
        "xprv": plain.keystore.xprv,
        "address": plain.get_receiving_addresses()[0],
        "change": plain.get_change_addresses()[0],
        "multisig": several.get_receiving_addresses()[0],
    }, file)

# Electrum's event loop would keep the process.
os._exit(0)
