/// Files of other wallets that tests import; their secrets are public.
package enum ImportedFiles {
  /// The example of the Web3 Secret Storage definition; its password and its key are public.
  package static let keystore = """
    {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},
    "ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2",
    "kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256",
    "salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
    "mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
    "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6",  "version":3 , "unknown": 1.50}

    """

  /// Two bundles of the Fueki app.
  ///
  /// In the second, Alice has another address, and there is another Alice.
  package static let contacts = [
    "first.json": contacts([("C1", 1)]), "second.json": contacts([("C1", 2), ("C2", 3)]),
  ]

  private static func contacts(_ people: [(id: String, address: Int)]) -> String {
    let list = people.map {
      #"{"id":"\#($0.id)","name":"Alice","address":"\#(address($0.address))","chainId":1}"#
    }
    return #"{"version":1,"wallets":[],"addressBook":[\#(list.joined(separator: ","))]}"#
  }

  package static func address(_ number: Int) -> String { "0x" + String(repeating: "1\(number)", count: 20) }

  /// A plain wallet of Electrum; its seed is public.
  package static let electrum = """
    {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "labels": {"a": "rent"}, "keystore":
    {"type": "bip32", "derivation": "m/0'", "root_fingerprint": "f4a32e43", "seed": "canary salmon nut prepare",
    "xprv": "vprv9H2uivTFNgvKZfd2kkpc8CX5Sjcm6VvVPPbLBby74m1TEdig9njNTxgzpfrcHtBdA53MuFWeyNKZYAsSk61riyFZ4W9fDYmvrJg4RTEiTLZ",
    "xpub": "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
    }}
    """
}
