internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

extension FuzzTarget {
  /// A key share file of tss-lib.
  static let tssLib = FuzzTarget("tss-lib") { bytes in
    _ = try TssLibShare(bytes.span, name: "share.json", byteCountLimit: 4 << 20)
  }

  /// A Web3 Secret Storage file.
  static let keystore = FuzzTarget("keystore") { bytes in
    _ = KeystoreDescription(bytes, name: Array("key.json".utf8))
  }

  /// The Fueki app's bundle.
  static let fuekiApp = FuzzTarget("fueki-app") { bytes in
    _ = try FuekiAppBundle(bytes, byteCountLimit: 1 << 20)
  }

  /// A file of the OWND wallet in Protocol Buffers.
  static let ownd = FuzzTarget("ownd") { bytes in
    let records = try OWNDStore(bytes.span).records
    precondition(
      !records.credentials.isEmpty || !records.credentialSharing.isEmpty || !records.idTokenSharing.isEmpty,
      "a file without records was accepted")
  }

  /// All kinds: first those numbered in the corpus, then the others.
  private static let foreignKinds: [CollectorKind] = {
    let numbered = [
      "unstoppable", "keystore", "tss-lib", "fueki-app", "fueki-vault", "ownd", "electrum", "fueki-share",
      "bip329", "vcard", "csv-contacts", "vultisig", "frost", "cggmp21", "multi-party-sig", "dkls23",
      "fireblocks", "io.finnet", "bitcoin-core", "multisig", "sparrow",
    ]
    return numbered.compactMap { try? CollectorKind(named: $0) }
      + CollectorKind.all.filter { !numbered.contains($0.name) }
  }()

  /// A file of any kind that `import` supports.
  ///
  /// The first byte chooses the kind.
  static let foreign = FuzzTarget("foreign") { input in
    guard let first = input.first else { return }
    let kind = foreignKinds[Int(first) % foreignKinds.count]
    let folder = Environment.get("TMPDIR") ?? "/tmp"
    let name = "fueki-fuzz-\(CurrentProcess.identifier)"
    let file = try Directory.open(folder).openOrCreateFile(name)
    try file.truncate(to: 0)
    try file.pwriteAll(Array(input[1...]), at: 0)
    let request = CollectionRequest()
    defer { request.work.checkBounds(for: input.count) }
    let records = try kind.source(at: "\(folder)/\(name)").read(request)
    _ = records.report(source: kind.name)
  }
}

extension WorkBudget {
  /// Traps if an input requires more work per byte than its parser should do.
  ///
  /// The bounds are for one file, and far below a source's limits. A table's blocks are read once and a
  /// database's pages a few times. Snappy and DEFLATE write at most a thousand bytes for one.
  func checkBounds(for byteCount: Int) {
    let count = UInt64(byteCount)
    precondition(spent(on: .bytesRead) <= 16 * count + (2 << 20), "bytes are read again and again")
    precondition(spent(on: .bytesProduced) <= 1100 * count + (128 << 10), "more comes out than went in")
    precondition(spent(on: .visits) <= 64 * count + 64, "entries are visited again and again")
  }
}
