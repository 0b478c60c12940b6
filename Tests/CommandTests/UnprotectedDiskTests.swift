import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Files that go to a disk without owners and permissions, which does not take every name either.
@Suite(
  .enabled(
    if: ExFATDisk.isAvailable, "this machine cannot mount exFAT: that needs root, loop devices and exfat-fuse"
  ))
struct UnprotectedDiskTests {
  private static let keystore = "home/.ethereum/keystore"
  private static let colons = "UTC--2018-02-03T10:41:53.123Z--aaaa"
  private static let names = [colons, "a-first", "z-last"]
  private static let consent = ["--accept", "unprotected"]

  private func machine(_ names: [String] = Self.names) throws -> LostMachine {
    let pair = try LostMachine()
    for name in names { try pair.write(Array(name.utf8), to: "\(Self.keystore)/\(name)") }
    try pair.create(["file:~/.ethereum/keystore"])
    return pair
  }

  /// The contents of all files below a folder, which are the files' own names.
  private func contents(_ pair: LostMachine, _ folder: String) throws -> [String] {
    try pair.snapshot(of: folder).values.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
      .sorted()
  }

  private static func permit(_ mode: String, _ path: String) throws {
    let run = try BuiltBinary.run(program: "/bin/chmod", [mode, path])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test func `nothing is put back without the consent, and the message says what it means`() throws {
    let pair = try machine()
    let disk = try ExFATDisk(at: pair.machine.path("usb"))
    for folder in [disk.path, "\(disk.path)/out"] {
      for more in [[], ["--no-sandbox"]] {
        let run = try pair.putBack(["--files", folder] + more).expect(1)
        #expect(run.errors.contains("\(folder) keeps no owner and no permissions, as exFAT"), "\(run.errors)")
        #expect(run.errors.contains("can read and change the files"), "\(run.errors)")
        #expect(run.errors.contains("--accept unprotected"), "\(run.errors)")
        #expect(try Directory.open(disk.path).list().isEmpty)
      }
    }
  }

  @Test func `with the consent every file goes there under a name that the disk takes, and stays`() throws {
    let pair = try machine()
    let disk = try ExFATDisk(at: pair.machine.path("usb"))
    let words = ["--files", "\(disk.path)/out"] + Self.consent
    let run = try pair.putBack(words + ["--json"]).expect(0)
    #expect(try contents(pair, "usb/out") == Self.names)
    let files = try run.json()["files"]?.elements ?? []
    #expect(files.map { $0["fate"]?.text } == ["placed", "placed", "placed"])
    let renamed = files.filter { $0["refused_path"] != nil }
    #expect(
      renamed.map { $0["refused_path"]?.text } == ["\(disk.path)/out/.ethereum/keystore/\(Self.colons)"])
    let path = try #require(renamed.first?["path"]?.text)
    #expect(path.contains("/UTC--2018-02-03T10_41_53~"))
    #expect(try File.open(path).readAll(limit: 100) == Array(Self.colons.utf8))

    let before = try pair.snapshot(of: "usb")
    let again = try pair.putBack(words + ["--json"]).expect(0)
    let fates = try again.json()["files"]?.elements.map { $0["fate"]?.text }
    #expect(fates == ["present", "present", "present"])
    let told = try pair.putBack(words)
    #expect(told.errors.contains("\(path) is the file \(disk.path)/out/.ethereum/keystore/\(Self.colons)"))
    #expect(told.errors.components(of: "can read and change") == 1, "\(told.errors)")
    try pair.putBack(words + ["--dry-run"]).expect(0)
    #expect(try pair.snapshot(of: "usb") == before)
  }

  @Test func `names that differ in the case of letters only never overwrite each other`() throws {
    let names = ["KEYS/one", "Wallet", "keys/one", "wallet"]
    let pair = try machine(names)
    let disk = try ExFATDisk(at: pair.machine.path("usb"))
    for policy in ["fail", "rename", "replace"] {
      for _ in 1...2 {
        let run = try pair.putBack(
          ["--files", "\(disk.path)/\(policy)", "--on-conflict", policy] + Self.consent)
        #expect(run.status == 0, "\(run.errors)\(run.text)")
        #expect(try contents(pair, "usb/\(policy)") == names)
      }
    }
    // A file of the user's own stays.
    try pair.write(Array("mine".utf8), to: "usb/own/.ethereum/keystore/WALLET")
    try pair.putBack(["--files", "\(disk.path)/own"] + Self.consent).expect(40)
    #expect(try pair.machine.read("usb/own/.ethereum/keystore/WALLET") == Array("mine".utf8))
  }

  @Test func `restore needs the consent for its files, too`() throws {
    let pair = try machine()
    let disk = try ExFATDisk(at: pair.machine.path("usb"))
    func restore(_ more: [String]) throws -> RunResult {
      try pair.machine.run(
        ["restore", "latest", "--no-resync", "--target", pair.machine.target, "--files", "\(disk.path)/out"]
          + pair.machine.secrets + more, environment: pair.other)
    }
    let refused = try restore([]).expect(3)
    for part in ["can read and change the files", "--accept unprotected"] {
      #expect(refused.text.contains(part), "\(refused.text)")
    }
    #expect(try Directory.open(disk.path).list().isEmpty)
    try restore(Self.consent + ["--datadir", pair.machine.path("second-data")]).expect(0)
    #expect(try contents(pair, "usb/out") == Self.names)
  }

  @Test func `a native export has every file under a name that the disk takes, and lists both`() throws {
    let pair = try machine()
    let disk = try ExFATDisk(at: pair.machine.path("usb"))
    func export(_ name: String, _ more: [String] = []) throws -> RunResult {
      try pair.machine.run(
        ["export", "--include-secrets", "--format", "native", "--output", "\(disk.path)/\(name)"]
          + ["--target", pair.machine.target] + pair.machine.archiveSecret + more)
    }
    let run = try export("one", ["--json"]).expect(0)
    #expect(try contents(pair, "usb/one") == Self.names)
    let renamed = try run.json()["renamed"]?.elements ?? []
    #expect(renamed.map { $0["path"]?.text } == ["~/.ethereum/keystore/\(Self.colons)"])
    let written = try #require(renamed.first?["written"]?.text)
    #expect(written.hasPrefix("home/.ethereum/keystore/UTC--2018-02-03T10_41_53~"))
    #expect(try pair.machine.read("usb/one/\(written)") == Array(Self.colons.utf8))
    let told = try export("two")
    #expect(told.errors.contains("\(written) is the file ~/.ethereum/keystore/\(Self.colons)"))
    #expect(told.errors.contains("keeps no owner and no permissions"), "\(told.errors)")
  }

  @Test func `a folder that others can write to stays refused where permissions are kept`() throws {
    let pair = try machine()
    try Directory.makePrivateDirectories(pair.machine.path("shared"))
    try Self.permit("777", pair.machine.path("shared"))
    let run = try pair.putBack(["--files", pair.machine.path("shared")] + Self.consent)
    #expect(run.status == 1 && run.errors.contains("other users can write to"), "\(run.errors)")
    #expect(try Directory.open(pair.machine.path("shared")).list().isEmpty)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}

/// A mounted exFAT file system in a file, which is unmounted with the value's end.
private struct ExFATDisk: ~Copyable {
  private static let mount = "/usr/sbin/mount.exfat-fuse"
  private static let make = "/usr/sbin/mkfs.exfat"

  /// Whether this machine can mount one: found out by doing so.
  static let isAvailable: Bool = {
    guard geteuid() == 0, let scratch = try? TemporaryDirectory() else { return false }
    return (try? ExFATDisk(at: scratch.path("disk"))) != nil
  }()

  let path: String
  private let device: String

  init(at path: String) throws {
    let image = "\(path).image"
    try Directory.makePrivateDirectories(path)
    try Self.run("/usr/bin/truncate", ["-s", "32M", image])
    try Self.run(Self.make, [image])
    let device = try Self.run("/usr/sbin/losetup", ["-f", "--show", image])
    do {
      try Self.run(Self.mount, [device, path])
    } catch {
      _ = try? Self.run("/usr/sbin/losetup", ["-d", device])
      throw error
    }
    (self.path, self.device) = (path, device)
  }

  deinit {
    _ = try? Self.run("/usr/bin/umount", [path])
    _ = try? Self.run("/usr/sbin/losetup", ["-d", device])
  }

  /// - Returns: the program's output, without the line's end.
  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let run = try BuiltBinary.run(program: program, arguments)
    guard run.status == 0 else { throw SystemError(.failed, call: program, explanation: run.errors) }
    return run.text.split(separator: "\n").first.map(String.init) ?? ""
  }
}
