/// The most work that the files of one source may ask for, in the units of ``WorkBudget``.
///
/// Each limit is a generous multiple of the largest real wallet. A limit for bytes and visits grows with the bytes of
/// the source, so that a long wallet is read whole and a short file asks for little. fueki-backup-wallets(7) lists the
/// figures; a test compares both.
enum WorkLimits {
  /// Work that every source may ask for, however short its files are.
  static func base(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // Pages and blocks: a whole database of a new wallet has less than 1 MiB.
    case .bytesRead: 64 << 20
    // Decompressed bytes: the state of MetaMask with 1,000 accounts has about 4 MiB.
    case .bytesProduced: 32 << 20
    // Pages, blocks, rows and entries: a new wallet has fewer than 10,000.
    case .visits: 1 << 16
    // scrypt's N·r·p: 1,024 keystores of geth's or EIP-2335's own cost, 2^21 each.
    case .memoryHard: 1 << 31
    // Rounds of HMAC or SHA-512: 1,024 keystores of EIP-2335's own cost, 262,144 each.
    case .rounds: 1 << 28
    // Files that one password opens: a validator's folder has up to some 1,000.
    case .derivations: 1 << 10
    // Keys derived for branches: a wallet of 10,000 descriptors has two branches each.
    case .candidates: 1 << 17
    // Wallets and keys of one source: the largest validators have some 1,000 keys in a folder.
    case .findings: 1 << 14
    }
  }

  /// Further work for each byte of the source's files.
  static func factor(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // A database's pages are looked at for its tables, for one table's rows, and for the ends of long rows.
    case .bytesRead: 16
    // JSON of accounts shrinks to a tenth in Snappy, and in DEFLATE.
    case .bytesProduced: 64
    // An entry of LevelDB has three bytes at least, and deleted ones shrink to less in Snappy.
    case .visits: 4
    case .memoryHard, .rounds, .derivations, .candidates, .findings: 0
    }
  }

  /// The work of a single derivation, which nothing interrupts.
  static func single(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // Four times the cost of geth and of EIP-2335, 2^18 · 8 · 1.
    case .memoryHard: 1 << 23
    // Four times the cost of MetaMask, 900,000.
    case .rounds: 1 << 22
    case .bytesRead, .bytesProduced, .visits, .derivations, .candidates, .findings: .max
    }
  }

  /// The memory of one derivation: four times that of geth and of EIP-2335, 256 MiB.
  static let derivationMemory: UInt64 = 1 << 30
}
