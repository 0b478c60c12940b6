import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Listings of a remote that read only what is new, has changed or is due.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RememberedStructuresTests {
  private static let copies = 6
  private static let day: Int64 = 86_400

  /// A remote with several files of one archive, which were written yesterday.
  private func prepared() throws -> RcloneRemote {
    let machine = try Machine()
    let archive = try #require(machine.archives().first)
    let remote = try RcloneRemote(.local, machine)
    for number in 1...Self.copies { try put(try machine.read(archive), "\(number)", remote) }
    return remote
  }

  private func put(_ bytes: [UInt8], _ name: String, _ remote: RcloneRemote, age: Int64 = day) throws {
    try remote.machine.write(bytes, to: "remote/wallet/\(name).fueki")
    let file = try Directory.open(remote.machine.path("remote/wallet")).openFileForWriting("\(name).fueki")
    try file.setModificationTime(microseconds: (SystemClock.now / 1_000_000 - age) * 1_000_000)
  }

  private func bytes(_ name: String, _ remote: RcloneRemote) throws -> [UInt8] {
    try remote.machine.read("remote/wallet/\(name).fueki")
  }

  /// Lists the remote.
  ///
  /// - Returns: the state of each file, and the calls of rclone.
  private func list(_ remote: RcloneRemote, _ more: [String] = []) throws -> (
    states: [String], runs: [String]
  ) {
    _ = try? Directory.open(remote.machine.root).remove("runs")
    let counted = try remote.interfere(with: "nothing", ":")
    let list = try remote.run(["list", remote.target, "--json"] + more, environment: counted)
    #expect(list.status == 0, "\(list.errors)")
    let archives = try list.json()["archives"]?.elements ?? []
    let states = archives.compactMap { archive -> String? in
      guard let name = archive["path"]?.text?.split(separator: "/").last, let state = archive["state"]?.text
      else { return nil }
      return "\(name) \(state)"
    }
    let runs = String(decoding: try remote.machine.read("runs"), as: UTF8.self).split(separator: "\n")
    return (states.sorted(), runs.map { $0.split(separator: " ").first.map(String.init) ?? "" })
  }

  private static func whole(_ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "\($0).fueki complete" }
  }

  private static let folder = "home/.cache/fueki-backup/structures"

  /// The name of the file that remembers the structures.
  private func memory(_ remote: RcloneRemote) throws -> String {
    let names = try Directory.open(remote.machine.path(Self.folder)).list().compactMap(\.text)
    try #require(names.count == 1, "\(names)")
    return names[0]
  }

  /// Where the records begin, after each one's length: key, tag, time, bytes and digest.
  private static func records(in bytes: [UInt8]) -> [Range<Int>] {
    var records: [Range<Int>] = []
    var position = "fueki structures 1".utf8.count + 16 + 9
    while position + 4 <= bytes.count {
      let count = bytes[position..<position + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      records.append(position + 4..<position + 4 + count)
      position += 4 + count
    }
    return records
  }

  /// Makes the records older.
  private func age(_ remote: RcloneRemote, by seconds: Int64) throws {
    let name = "\(Self.folder)/\(try memory(remote))"
    var bytes = try remote.machine.read(name)
    for record in Self.records(in: bytes) {
      let time = record.lowerBound + 64..<record.lowerBound + 72
      let past = bytes[time].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } - seconds
      for (place, shift) in zip(time, stride(from: 0, to: 64, by: 8)) {
        bytes[place] = UInt8(truncatingIfNeeded: past >> shift)
      }
      let end = record.upperBound - Digest.byteCount
      bytes.replaceSubrange(
        end..<record.upperBound, with: SHA256.hash(Array(bytes[record.lowerBound..<end])).bytes)
    }
    try remote.machine.write(bytes, to: name)
  }

  @Test func `a second listing reads names and one archive, and shows the same`() throws {
    let remote = try prepared()
    let first = try list(remote)
    #expect(first.states == Self.whole(1...Self.copies) && first.runs == ["backend", "lsjson", "serve"])
    let second = try list(remote)
    #expect(second.states == first.states && second.runs == ["lsjson", "cat"], "\(second.runs)")
    let all = try remote.run(["list", remote.target, "--json", "--no-cache"])
    #expect(try remote.run(["list", remote.target, "--json"]).json() == all.json())
    let counted = try remote.interfere(with: "nothing", ":")
    _ = try Directory.open(remote.machine.root).remove("runs")
    let status = try remote.run(["status", "--target", remote.target, "--recursive"], environment: counted)
    #expect(status.status == 0, "\(status.text)\(status.errors)")
    #expect(String(decoding: try remote.machine.read("runs"), as: UTF8.self).hasPrefix("lsjson"))
  }

  @Test func `what is new or has changed is read, and nothing else`() throws {
    let remote = try prepared()
    _ = try list(remote)
    let name = "\(Self.folder)/\(try memory(remote))"
    let archive = try bytes("1", remote)
    try put(archive, "7", remote)
    try put(Array(archive.dropLast(9)), "2", remote, age: Self.day)
    // The length is the same, and the time is not.
    var other = archive
    other[other.count - 3] ^= 1
    try put(other, "3", remote, age: 2 * Self.day)
    _ = try Directory.open(remote.machine.path("remote/wallet")).remove("4.fueki")
    let found = try list(remote)
    #expect(
      found.states == ["1.fueki complete", "2.fueki incomplete", "3.fueki damaged"] + Self.whole(5...7),
      "\(found)")
    #expect(found.runs.prefix(2) == ["lsjson", "serve"], "\(found.runs)")
    #expect(
      try Self.records(in: remote.machine.read(name)).count == 4,
      "damaged archives are not remembered, nor those that are gone")
    // Those two are read every time.
    let again = try list(remote)
    #expect(again.states == found.states && again.runs.first == "lsjson" && again.runs.count > 1)
  }

  @Test func `a file that may still change without another time is not remembered`() throws {
    let remote = try prepared()
    for number in 1...Self.copies { try put(try bytes("\(number)", remote), "\(number)", remote, age: 0) }
    _ = try list(remote)
    let second = try list(remote)
    #expect(second.runs.contains("serve"), "\(second.runs)")
  }

  @Test func `a change that the storage hides is found when the archive is due`() throws {
    let remote = try prepared()
    _ = try list(remote)
    var other = try bytes("1", remote)
    let time = try Directory.open(remote.machine.path("remote/wallet")).status(of: "1.fueki").modificationTime
    other[other.count - 3] ^= 1
    try remote.machine.write(other, to: "remote/wallet/1.fueki")
    let file = try Directory.open(remote.machine.path("remote/wallet")).openFileForWriting("1.fueki")
    try file.setModificationTime(microseconds: time.seconds * 1_000_000 + Int64(time.nanoseconds) / 1_000)
    #expect(try list(remote).states == Self.whole(1...Self.copies), "the limit that the manual states")
    let damaged = ["1.fueki damaged"] + Self.whole(2...Self.copies)
    #expect(try list(remote, ["--no-cache"]).states == damaged)
    // A week later each archive is due.
    try age(remote, by: 7 * Self.day + 1)
    let due = try list(remote)
    #expect(due.states == damaged && due.runs.contains("serve"), "\(due)")
  }

  @Test func `a remote that no longer returns its files is noticed`() throws {
    let remote = try prepared()
    _ = try list(remote)
    let status = ["status", "--target", remote.target]
    #expect(try remote.run(status).status == 0)
    let refused = try remote.interfere(with: "cat", "echo AccessDenied >&2; exit 1")
    let list = try remote.run(["list", remote.target, "--json"], environment: refused)
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.count == Self.copies && states.contains("unreadable"), "\(list.text)\(list.errors)")
    // The others were read, too.
    #expect(try String(decoding: remote.machine.read("runs"), as: UTF8.self).contains("serve"))
    #expect(try remote.run(status, environment: refused).status == 60)
  }

  @Test func `a damaged memory, or none, costs time only`() throws {
    let remote = try prepared()
    let first = try list(remote)
    let name = "\(Self.folder)/\(try memory(remote))"
    let whole = try remote.machine.read(name)
    for position in stride(from: 0, to: whole.count, by: max(1, whole.count / 7)) {
      var bytes = whole
      bytes[position] ^= 0x10
      try remote.machine.write(bytes, to: name)
      #expect(try list(remote).states == first.states)
      try remote.machine.write(Array(whole.prefix(position)), to: name)
      #expect(try list(remote).states == first.states)
    }
    // A folder that cannot be made.
    let nowhere = try remote.run(
      ["list", remote.target, "--json"], environment: ["XDG_CACHE_HOME": remote.machine.path("rclone.conf")])
    #expect(nowhere.status == 0, "\(nowhere.errors)")
    #expect(try nowhere.json()["archives"]?.elements.count == Self.copies)
  }
}
