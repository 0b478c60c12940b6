import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Small files that demand much work, which is counted in the meter's units rather than in time.
struct WorkBudgetTests {
  /// Collects a source as a backup does, and also returns its budget's counts.
  func read(
    _ kind: String, _ path: String, password: String? = nil
  ) throws -> (records: ImportedRecords, work: WorkBudget) {
    var request = CollectionRequest.forBackup
    request.includesPrivateKeys = true
    request.work = WorkBudget()
    let source = try CollectorKind(named: kind).source(
      at: path, passphrase: password.map { ForeignFiles.asking($0) })
    return (try source.read(request).holdingFiles(), request.work)
  }

  func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  // MARK: the meter

  @Test(arguments: WorkBudget.Unit.allCases) func `a budget ends at its limit, and grows with its files`(
    _ unit: WorkBudget.Unit
  ) throws {
    let work = WorkBudget()
    let limit = WorkBudget.limit(of: unit, input: 0)
    let single = min(limit, WorkBudget.singleLimit(of: unit))
    for _ in 0..<(limit / single) { try work.spend(single, on: unit) }
    #expect(work.spent(on: unit) == limit)
    #expect(throws: WorkBudget.Exceeded(unit)) { try work.spend(UInt64(1), on: unit) }
    work.admit(input: 1000)
    let more = WorkBudget.limit(of: unit, input: 1000) - limit
    if more > 0 { try work.spend(more, on: unit) }
    #expect(throws: WorkBudget.Exceeded(unit)) { try work.spend(UInt64(1), on: unit) }
    #expect(throws: WorkBudget.Exceeded(unit)) { try work.spend(UInt64.max, on: unit) }
    #expect(WorkBudget.limit(of: unit, input: .max) >= limit)
  }

  @Test func `the manual lists the limits that hold`() throws {
    let bytes = try File.open("\(SourceTree.path)/man/fueki-backup-wallets.7").readAll(limit: 1 << 20)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    func grouped(_ value: UInt64) -> String {
      let digits = String(value)
      return digits.enumerated().map { place, digit in
        (place > 0 && (digits.count - place) % 3 == 0 ? "," : "") + String(digit)
      }.joined()
    }
    for unit in WorkBudget.Unit.allCases {
      let base = WorkBudget.limit(of: unit, input: 0)
      let cells = "Ta \(grouped(base)) Ta \(WorkBudget.limit(of: unit, input: 1) - base) Ta"
      #expect(lines.contains { $0.hasPrefix(".It ") && $0.contains(cells) }, "\(unit): \(cells)")
    }
    for unit in [WorkBudget.Unit.memoryHard, .rounds] {
      #expect(lines.contains { $0.contains(grouped(WorkBudget.singleLimit(of: unit))) })
    }
  }

  /// Costs that are constants of programs, not stated in files.
  private static let constantCosts = ["CoreLightning.swift", "ElectrumText.swift", "ElectrumWorth.swift"]

  @Test func `collectors derive at a cost that a file states through the meter alone`() throws {
    let found = try BuiltBinary.run(
      program: "/bin/grep",
      ["-rlE", "(Scrypt|PBKDF2|Argon2id)\\.derive\\(", "\(SourceTree.path)/Sources/FuekiCollectors"])
    let names = found.text.split(separator: "\n").compactMap {
      $0.split(separator: "/").last.map(String.init)
    }
    #expect(names.sorted() == (Self.constantCosts + ["MeteredDerivation.swift"]).sorted())
  }

  // MARK: structure

  @Test func `a table of LevelDB that names a block twice is damaged, and its block is read once at most`()
    throws
  {
    let block = LevelDBFiles.compressedBlock(
      (0..<200).map { [UInt8](repeating: UInt8($0), count: 300) })
    let work = WorkBudget()
    var values = LevelDBValues(of: ["data"], work: work)
    let file = LevelDBFiles.table(
      block, index: [(Int, Int)](repeating: (0, block.count - 5), count: 5000))
    try values.read(table: file)
    #expect(values.damagedCount == 1)
    #expect(work.spent(on: .bytesRead) < 2 * file.count && work.spent(on: .visits) <= 5000)
    #expect(work.spent(on: .bytesProduced) == 0)
  }

  @Test func `a long key that many entries share is not copied for each`() throws {
    // Different blocks, each of them small: their total output is bounded.
    let block = LevelDBFiles.compressedBlock([[UInt8](repeating: 7, count: 60_000)])
    let count = 2000
    let places = (0..<count).map { ($0 * block.count, block.count - 5) }
    let file = LevelDBFiles.table([[UInt8]](repeating: block, count: count).flatMap(\.self), index: places)
    let work = WorkBudget()
    var values = LevelDBValues(of: ["data"], work: work)
    try values.read(table: file)
    #expect(work.spent(on: .bytesProduced) <= WorkBudget.limit(of: .bytesProduced, input: UInt64(file.count)))
  }

  /// Returns a database of three pages: the first has one cell several times, and its overflow page is its
  /// own successor.
  private func database(cells: Int, payload: Int, page size: Int = 65_536) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] { number(value, count).reversed() }
    func varint(_ value: Int) -> [UInt8] {
      var (bytes, rest) = ([UInt8(value & 127)], value >> 7)
      while rest > 0 {
        bytes.insert(UInt8(rest & 127 | 128), at: 0)
        rest >>= 7
      }
      return bytes
    }
    var head = varint(13 + 2 * (payload - 64)) + varint(23) + varint(13) + varint(1)
    head = varint(head.count + 1) + head
    let least = (size - 12) * 32 / 255 - 23
    let fitting = least + (payload - least) % (size - 4)
    let inPage = fitting <= size - 35 ? fitting : least
    let text = Array("table".utf8) + [UInt8](repeating: 0x78, count: inPage - head.count - 5)
    let cell = varint(payload) + varint(1) + head + text + big(2, 4)
    var first = [UInt8](repeating: 0, count: size)
    func put(_ bytes: [UInt8], _ place: Int) {
      first.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
    put(Array("SQLite format 3\0".utf8) + big(1, 2) + [1, 1, 0, 64, 32, 32], 0)
    put(big(1, 4) + big(3, 4), 24)
    put(big(4, 4), 44)
    put(big(1, 4), 56)
    put(big(0xF9BE_B4D9, 4), 68)
    put(big(1, 4), 92)
    put([13, 0, 0] + big(cells, 2), 100)
    for index in 0..<cells { put(big(size - cell.count, 2), 108 + 2 * index) }
    put(cell, size - cell.count)
    return first + big(2, 4) + [UInt8](repeating: 0, count: 2 * size - 4)
  }

  /// A row longer than its file, a row with a cyclic chain, and a row that its page repeats.
  @Test(arguments: [(1, (8 << 20) - 100), (1, 190_000), (15_000, 100_000)])
  func `an overflow chain that returns, and a cell that is named twice, are damage`(
    _ cells: Int, _ payload: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let bytes = database(cells: cells, payload: payload)
    try folder.write(bytes, to: "wallet.dat")
    let (records, work) = try read("bitcoin-core", folder.path("wallet.dat"))
    #expect(records.findings.map(\.result) == [.faulty(.malformed)])
    #expect(records.files.count == 1)
    #expect(work.spent(on: .bytesRead) < 8 * UInt64(bytes.count) + (2 << 20))
    #expect(work.spent(on: .visits) < 10)
  }

  @Test func `the pages of an old wallet in a hole are not read`() throws {
    let folder = try TemporaryDirectory()
    let head =
      [UInt8](repeating: 0, count: 12) + [0x62, 0x31, 5, 0] + number(0, 4) + number(512, 4) + [0, 9]
    try folder.write(head + [UInt8](repeating: 0, count: 46), to: "wallet.dat")
    // As long as a digest of its zeros is quick.
    try Directory.open(folder.path).openOrCreateFile("wallet.dat").truncate(to: 64 << 20)
    let (records, work) = try read("bitcoin-core", folder.path("wallet.dat"))
    #expect(records.findings.map(\.result) == [.notProved(.notRead)])
    #expect(work.spent(on: .bytesRead) < 4 << 20)
  }

  // MARK: derivations

  @Test(arguments: [
    Scrypt.Cost(n: 1 << 20, r: 8, p: 16), Scrypt.Cost(n: 1 << 24, r: 64, p: 1),
    Scrypt.Cost(n: .max, r: .max, p: .max), Scrypt.Cost(n: 1 << 21, r: 8, p: 1),
  ]) func `a derivation beyond the limits is not begun`(_ cost: Scrypt.Cost) throws {
    let work = WorkBudget()
    #expect(throws: WorkBudget.Exceeded(.memoryHard)) {
      _ = try work.scrypt(from: SecretBytes.of("x"), salt: [1], cost: cost, count: 32).count
    }
    #expect(throws: WorkBudget.Exceeded(.rounds)) {
      _ = try work.pbkdf2(from: SecretBytes.of("x"), salt: [1], iterations: 5_000_000, count: 32).count
    }
    #expect(throws: WorkBudget.Exceeded(.rounds)) {
      _ = try work.sha512(SecretBytes.of("x"), rounds: 5_000_000).count
    }
    #expect(work.spent(on: .memoryHard) == 0 && work.spent(on: .rounds) == 0)
  }

  @Test func `a derivation on a thread of its own gives what one in place gives`() throws {
    let work = WorkBudget()
    let cost = Scrypt.Cost(n: 1 << 13, r: 8, p: 1)
    let metered = try work.scrypt(from: SecretBytes.of("x"), salt: [1], cost: cost, count: 32)
    let plain = try Scrypt.derive(from: SecretBytes.of("x"), salt: [1], cost: cost, count: 32)
    #expect(metered.isEqualInConstantTime(to: plain) && work.spent(on: .memoryHard) == 1 << 16)
    let many = try work.pbkdf2(from: SecretBytes.of("x"), salt: [1], iterations: 20_000, count: 32)
    let same = try PBKDF2.derive(
      from: SecretBytes.of("x"), salt: SecretBytes(copying: [1].span), iterations: 20_000, count: 32)
    #expect(many.isEqualInConstantTime(to: same) && work.spent(on: .rounds) == 20_000)
  }

  @Test(arguments: [("keystore", "ciphertext"), ("eip2335", "checksum")])
  func `a keystore that asks for too much work is kept unread and reported`(_ kind: String, _ mark: String)
    throws
  {
    let zeros = String(repeating: "00", count: 32)
    let costs = #""dklen": 32, "n": 1048576, "r": 8, "p": 16, "salt": "\#(zeros)""#
    let text =
      kind == "keystore"
      ? #"{"version": 3, "id": "a", "address": "\#(zeros.prefix(40))", "crypto": {"cipher": "aes-128-ctr", "#
        + #""cipherparams": {"iv": "\#(zeros.prefix(32))"}, "ciphertext": "\#(zeros)", "kdf": "scrypt", "#
        + #""kdfparams": {\#(costs)}, "mac": "\#(zeros)"}}"#
      : #"{"version": 4, "pubkey": "", "path": "", "uuid": "", "crypto": {"kdf": {"function": "scrypt", "#
        + #""params": {\#(costs)}, "message": ""}, "checksum": {"function": "sha256", "params": {}, "#
        + #""message": "\#(zeros)"}, "cipher": {"function": "aes-128-ctr", "#
        + #""params": {"iv": "\#(zeros.prefix(32))"}, "message": "\#(zeros)"}}}"#
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "k.json")
    let (records, work) = try read(kind, folder.path("k.json"), password: "x")
    #expect(records.findings.map(\.result) == [.notProved(.workLimit)])
    #expect(records.files.map { [UInt8]($0.content) } == [Array(text.utf8)])
    #expect(work.spent(on: .memoryHard) == 0)
  }

  // MARK: nothing is lost

  @Test func `a file that is too long to be read is kept, and a source over a limit keeps its files`() throws
  {
    let folder = try TemporaryDirectory()
    try folder.open().makeDirectory("wallets")
    let long = try Directory.open(folder.path("wallets")).createFile("long")
    try long.truncate(to: 65 << 20)
    try long.pwriteAll([1], at: 0)
    try Directory.open(folder.path("wallets")).createFile("other").pwriteAll(Array("{}".utf8), at: 0)
    let (records, _) = try read("tss-lib", folder.path("wallets"))
    #expect(records.excluded.contains { $0.what == "long" })
    let (kept, _) = try read("vultisig", folder.path("wallets/long"))
    #expect(kept.findings.map(\.result) == [.notProved(.workLimit)] && kept.holdsSecretFiles)
    // A bundle of the app with too many values is refused completely.
    let costly = try #require(ForeignFiles.own).path("unstoppable-costly.json")
    var bundle = BackupBundle.Builder()
    let source = try CollectorKind(named: "unstoppable").source(at: costly, passphrase: ForeignFiles.asking())
    try source.collect(CollectionRequest(includesPrivateKeys: true), into: &bundle)
    let built = bundle.build()
    #expect(built.findings.map(\.result) == [.notProved(.workLimit)])
    #expect(built.reports.first.map { $0.records(in: .files) + $0.records(in: .secretFiles) } == 1)
  }
}
