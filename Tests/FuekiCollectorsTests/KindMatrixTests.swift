import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Whatever a file's name or state, it is in the archive, or it is named with a status.
///
/// Each kind is tried with each state, given alone, in a folder next to a sound file, in its program's own place, and
/// where `discover` finds it. All cases run with FUEKI_FULL=1; else a part of them, chosen by ``TestSeed``.
@Suite struct `Kinds in every state` {
  enum State: Hashable, Sendable {
    case sound, empty, zeros, cut(Int), flipped, byteOrderMark, utf16, lineEnds, twice, another
    case unreadable, oversize, folder, pipe, longName, lineBreakInName, nameNotUTF8

    static let all: [State] =
      [.sound, .empty, .zeros] + (1...10).map { .cut($0) }
      + [.flipped, .byteOrderMark, .utf16, .lineEnds, .twice, .another]
      + [.unreadable, .oversize, .folder, .pipe, .longName, .lineBreakInName, .nameNotUTF8]

    var hasOtherName: Bool { [.longName, .lineBreakInName, .nameNotUTF8].contains(self) }

    /// Whether the file cannot be in an archive.
    var mayBeLeftOut: Bool { [.unreadable, .oversize, .folder, .pipe].contains(self) }

    /// The bytes that come back.
    func bytes(of sample: [UInt8]) -> [UInt8] {
      switch self {
      case .folder: Array("inside".utf8)
      case .empty: []
      case .zeros: [UInt8](repeating: 0, count: sample.count)
      case .cut(let place): Array(sample.prefix(sample.count * place / 11))
      case .flipped: sample.enumerated().map { $0 == sample.count / 2 ? $1 ^ 0x04 : $1 }
      case .byteOrderMark: [0xEF, 0xBB, 0xBF] + sample
      case .utf16: [0xFF, 0xFE] + sample.flatMap { [$0, 0] }
      case .lineEnds: sample.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } + [0x0D, 0x0A]
      case .twice: sample + sample
      case .another: Array("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n".utf8)
      default: sample
      }
    }
  }

  enum Way: CaseIterable { case alone, folder, place, discovered }

  struct Case: Sendable, CustomTestStringConvertible {
    let sample: KindSample
    let state: State
    var testDescription: String { "\(sample.kind) \(state)" }
  }

  private static let cases: [Case] = {
    let all = ((try? KindSample.all()) ?? []).flatMap { sample in
      State.all.map { Case(sample: sample, state: $0) }
    }
    return TestSeed.sample(all, of: 120)
  }()

  @Test func `every kind has a sample, which it recognises`() throws {
    let samples = try KindSample.all()
    #expect(Set(samples.map(\.kind)) == Set(CollectorKind.all.map(\.name)))
    for sample in samples {
      let outcome = try #require(try play(Case(sample: sample, state: .sound), .alone))
      #expect(outcome.isReturned, "\(sample.kind): \(outcome)")
    }
  }

  @Test(arguments: cases) func `a file is in the archive or is named, with one verdict`(_ one: Case) throws {
    var verdicts: [Way: Int] = [:]
    for way in Way.allCases {
      guard let outcome = try play(one, way) else { continue }
      let isFine = outcome.isReturned || one.state.mayBeLeftOut && outcome.isNamed
      #expect(isFine && outcome.neighbourIsReturned, "\(one.testDescription) \(way): \(outcome)")
      // Two versions of one share next to each other are told with 3.
      verdicts[way] = outcome.status == 60 ? 60 : 0
    }
    guard !one.state.mayBeLeftOut else { return }
    // Who names a single file says what it is. In a folder only its name or its beginning can say so.
    if !one.sample.isTypical, verdicts[.alone] == 60 { verdicts[.alone] = nil }
    #expect(Set(verdicts.values).count <= 1, "\(one.testDescription): \(verdicts)")
  }

  struct Outcome {
    var isReturned = false
    var isNamed = false
    var neighbourIsReturned = true
    var status = 0
    var said: [String] = []
  }

  /// Plays a case; nil if the kind has no such way.
  private func play(_ one: Case, _ way: Way) throws -> Outcome? {
    let kind = try CollectorKind(named: one.sample.kind)
    guard way == .alone || kind.takesFolders else { return nil }
    let home = try TemporaryDirectory()
    var folder = "some folder"
    if way == .place || way == .discovered {
      guard let place = Self.place(of: one.sample, kind) else { return nil }
      folder = place
    }
    let path = home.path(folder)
    try Directory.makePrivateDirectories(path)
    let name = try Self.put(one, in: path)
    if way != .alone { try Self.write(one.sample.bytes, to: "\(path)/\(one.sample.neighbour)") }
    guard one.state != .folder || way == .folder || way == .place else { return nil }
    var paths = [way == .alone ? "\(path)/\(PathText.text(name))" : path]
    if way == .discovered {
      let found = WalletDiscovery(home: home.path).runQuickly().places.filter { $0.kind == kind.name }
      var unreadable: Set<ExactText> = []
      paths = found.flatMap(\.sources).flatMap { source in
        PlacePattern.isPattern(source) ? PlacePattern(source).paths(unreadable: &unreadable) : [source]
      }
    }
    // A program's wallet of a fixed name is found by this name, and alone.
    guard !paths.isEmpty || !(one.state.hasOtherName || one.state.mayBeLeftOut) else { return nil }
    var outcome = Outcome()
    outcome.neighbourIsReturned = !paths.contains { (try? Directory.open($0)) != nil }
    for path in paths {
      do {
        try outcome.add(kind.source(at: path).read(.wholeBackup), one, name)
      } catch {
        (outcome.isNamed, outcome.status) = (true, max(outcome.status, 3))
        outcome.said.append("\(error)")
      }
    }
    return outcome
  }

  /// Returns a place of the kind's programs below a home that may have the sample's name; nil if there is none.
  private static func place(of sample: KindSample, _ kind: CollectorKind) -> String? {
    for pattern in kind.programs.flatMap(\.walletPaths) {
      let parts = pattern.split(separator: "/").map(String.init)
      guard parts.count > 1, let last = parts.last, NamePattern(last).matches(sample.name) else { continue }
      return parts.dropLast().map { $0.replacing("**", with: "a").replacing("*", with: "a") }
        .joined(separator: "/")
    }
    return nil
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try Directory.makePrivateDirectories(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
    let parts = path.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    try Directory.open(folder).createFile(String(parts.last ?? "")).pwriteAll(bytes, at: 0)
  }

  /// Puts the file into a folder, and returns its name.
  private static func put(_ one: Case, in folder: String) throws -> [UInt8] {
    let name = one.sample.name
    func shell(_ script: String) throws {
      let run = try BuiltBinary.run(program: "/bin/sh", ["-c", "cd \"$0\" && \(script)", folder, name])
      try #require(run.status == 0, "\(run.text)")
    }
    switch one.state {
    case .folder:
      try write(Array("inside".utf8), to: "\(folder)/\(name)/inside")
      return Array("\(name)/inside".utf8)
    case .pipe:
      try shell("mkfifo \"$1\"")
      return Array(name.utf8)
    default: break
    }
    try write(one.state.bytes(of: one.sample.bytes), to: "\(folder)/\(name)")
    switch one.state {
    case .unreadable:
      try shell("chmod 000 \"$1\"")
      return Array(name.utf8)
    case .oversize:
      try shell("truncate -s 5G \"$1\"")
      return Array(name.utf8)
    case .longName:
      let long = String(repeating: "n", count: 255 - name.utf8.count) + name
      try shell("mv \"$1\" '\(long)'")
      return Array(long.utf8)
    case .lineBreakInName:
      try shell("mv \"$1\" \"$(printf 'a\\nb')$1\"")
      return Array("a\nb\(name)".utf8)
    case .nameNotUTF8:
      try shell("mv \"$1\" \"$(printf 'caf\\351')$1\"")
      return Array("caf".utf8) + [0xE9] + Array(name.utf8)
    default: return Array(name.utf8)
    }
  }
}

extension `Kinds in every state`.Outcome {
  fileprivate mutating func add(
    _ read: ImportedRecords, _ one: `Kinds in every state`.Case, _ name: [UInt8]
  ) throws {
    let records = try read.holdingFiles()
    var files: [[UInt8]: [UInt8]] = [:]
    for part in records.files { files[[UInt8](part.path), default: []] += [UInt8](part.content) }
    for part in records.secretFiles { files[part.path, default: []] += part.content.bytes.copied() }
    func has(_ name: [UInt8], _ bytes: [UInt8]) -> Bool {
      files.contains { path, content in
        content == bytes && (path == name || path.reversed().starts(with: ([0x2F] + name).reversed()))
      }
    }
    isReturned = isReturned || has(name, one.state.bytes(of: one.sample.bytes))
    neighbourIsReturned = neighbourIsReturned || has(Array(one.sample.neighbour.utf8), one.sample.bytes)
    isNamed = isNamed || !records.isComplete || records.findings.contains(where: \.isFaulty)
    // Other programs' folders have pipes, which hold nothing.
    if one.sample.kind == "file", one.state == .pipe { isNamed = isNamed || !records.excluded.isEmpty }
    let isUnread = records.findings.contains(where: \.isUnread)
    let own = records.findings.contains(where: \.isFaulty) ? 60 : records.isComplete && !isUnread ? 0 : 3
    status = max(status, own)
    said +=
      records.findings.map { "\($0.name): \($0.result)" }
      + records.excluded.map { "\($0.what): \($0.reason)" }
  }
}
