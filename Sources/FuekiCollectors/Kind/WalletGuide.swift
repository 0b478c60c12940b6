/// A row of the README's table of wallets: kinds whose backups are checked alike.
package enum WalletGuide: CaseIterable, Sendable {
  case bitcoinCore, electrum, sparrow, wasabi, multisig, metamask, keystores, monero, solana, polkadot, lnd,
    coreLightning
  case validators, keyShares, wholeKits, bareKeyShares, phones, labels, contacts, anyFile
  /// Devices have no kind.
  case devices

  /// The wallets, how a backup of one is checked, and what to keep besides it.
  private var words: (wallets: String, check: String, keep: String) {
    switch self {
    case .bitcoinCore:
      (
        "Bitcoin Core, Litecoin Core", "keys lead to the wallet's addresses (tested with a node)",
        "its password"
      )
    case .electrum:
      (
        "Electrum, Electron Cash", "seeds and keys lead to the wallet's keys (tested with Electrum)",
        "the seed words"
      )
    case .sparrow:
      ("Sparrow", "form and length only: export the wallet, too", "the words of each device")
    case .wasabi:
      (
        "Wasabi", "the key leads to the wallet's public keys (tested with a published wallet)",
        "the words, and the password"
      )
    case .multisig:
      (
        "Specter, Liana, Coldcard, Caravan, BSMS files", "checksums, keys and addresses",
        "the words of each device"
      )
    case .metamask:
      (
        "MetaMask in Chrome and its relatives", "the vault opens, and has the accounts that are shown",
        "the recovery phrase"
      )
    case .keystores:
      (
        "geth, Nethermind, Foundry keystores", "the key has the address (tested with geth's files)",
        "the password"
      )
    case .monero: ("Monero, Feather", "keys lead to the address (tested with Monero)", "the 25 words")
    case .solana: ("Solana command line", "the public key is the seed's", "–")
    case .polkadot:
      (
        "polkadot-js and its relatives, exports", "the key has the address (tested with a published account)",
        "the words"
      )
    case .lnd: ("LND", "form and length, and with the root key its channels", "the 24 words")
    case .coreLightning: ("Core Lightning", "the secret opens the recovery file", "the passphrase")
    case .validators:
      (
        "Validators: Lighthouse, Teku, Prysm, Nimbus, Lodestar",
        "the key fits its public key, and no record is slashable", "the mnemonic"
      )
    case .keyShares:
      (
        "Vultisig, FROST, multi-party-sig (Sygma)", "the share leads to its point, and points to the key",
        "the other shares"
      )
    case .wholeKits: ("Fireblocks, io.finnet, OWND", "every part is whole", "RSA key; 24 words; –")
    case .bareKeyShares:
      ("cggmp21, DKLs23, tss-lib", "the share leads to its point, and points to the key", "the other shares")
    case .phones: ("Fueki app, Unstoppable Wallet", "the file is read whole", "the phone's own backup")
    case .labels: ("Labels (BIP-329)", "each line is read", "–")
    case .contacts: ("Contacts", "each entry is read", "–")
    case .anyFile:
      (
        "Exodus, Phantom, Rabby, Eclair and others, and any file", "kept as it is, unread",
        "the wallet's words"
      )
    case .devices:
      ("Ledger, Trezor and other devices", "the words never leave the device", "the words, on paper or metal")
    }
  }

  /// The kinds of the row, in the registry's order.
  package var kinds: [CollectorKind] { CollectorKind.all.filter { $0.guide == self } }

  /// Whether `discover` finds each of them by itself.
  private var isFound: Bool {
    !kinds.isEmpty && kinds.allSatisfy { kind in WalletProgram.all.contains { $0.kinds.contains(kind.name) } }
  }

  /// The table in Markdown, line by line.
  package static var table: [String] {
    let head = [
      "| wallet | kind | found | how the backup is checked | keep as well |", "|---|---|---|---|---|",
    ]
    return head
      + allCases.map { row in
        let kinds = row.kinds.map { "`\($0.name)`" }.joined(separator: " ")
        let cells = [
          row.words.wallets, kinds.isEmpty ? "–" : kinds, row.isFound ? "yes" : "no", row.words.check,
          row.words.keep,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
      }
  }
}
