import FuekiSystem
import Glibc
import TestSupport
import Testing

/// How much of a remote's archives is read, and by how many runs of rclone.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RemoteReadingTests {
  private static let copies = 6

  /// A remote with several files of one archive.
  private func prepared() throws -> RcloneRemote {
    let machine = try Machine()
    let archive = try #require(machine.archives().first)
    let remote = try RcloneRemote(.local, machine)
    let bytes = try machine.read(archive)
    for number in 1...Self.copies {
      // Names are escaped on their way.
      try machine.write(bytes, to: "remote/wallet/copy #\(number) ü 100%.fueki")
    }
    return remote
  }

  private func runs(_ remote: RcloneRemote) throws -> [String] {
    String(decoding: try remote.machine.read("runs"), as: UTF8.self).split(separator: "\n")
      .map { String($0.prefix { $0 != " " }) }
  }

  @Test func `one rclone reads the ends of all archives`() throws {
    let remote = try prepared()
    let counted = try remote.interfere(with: "serve", "real \"$@\" | tee \"$root/served\"")
    let list = try remote.run(["list", remote.target, "--json"], environment: counted)
    #expect(list.status == 0, "\(list.errors)")
    let archives = try list.json()["archives"]?.elements ?? []
    #expect(archives.count == Self.copies)
    #expect(try runs(remote) == ["lsjson", "serve"])
    let served = try remote.machine.read("served").count
    #expect(served < Self.copies * 20_000, "\(served)")
  }

  @Test func `one rclone reads more than its window has room for`() throws {
    let remote = try prepared()
    let first = remote.machine.path("remote/wallet/copy #1 ü 100%.fueki")
    // 16 KiB of each are 18 MiB.
    for number in 1...1_150 {
      let made = unsafe link(first, remote.machine.path("remote/wallet/link \(number).fueki"))
      try #require(made == 0)
    }
    let counted = try remote.interfere(with: "serve", "real \"$@\"")
    let list = try remote.run(["list", remote.target, "--json"], environment: counted)
    #expect(list.status == 0, "\(list.errors)")
    #expect(try list.json()["archives"]?.elements.count == Self.copies + 1_150)
    #expect(try runs(remote) == ["lsjson", "serve"])
  }

  @Test(arguments: [
    "exit 1", "head -c 100", "head -c 200000 /dev/zero",
    // Cut off in the middle of the archives.
    "real \"$@\" | head -c 30000",
  ])
  func `each archive is read by itself if the server is missing or fails`(
    _ fault: String
  ) throws {
    let remote = try prepared()
    let expected = try remote.run(["list", remote.target, "--json"])
    let faulty = try remote.interfere(with: "serve", fault)
    let list = try remote.run(["list", remote.target, "--json"], environment: faulty)
    #expect(list.status == 0, "\(list.errors)")
    #expect(try list.json() == expected.json())
    #expect(try runs(remote).contains("cat"))
  }

  @Test func `a server that falls silent is given up`() throws {
    let remote = try prepared()
    let silent = try remote.interfere(with: "serve", "exec sleep 600")
    let list = try remote.run(
      ["list", remote.target], environment: silent.merging(["FUEKI_DEADLINE": "2"]) { $1 })
    #expect(list.status == 1 && list.errors.contains("has not answered for 2 seconds"), "\(list.errors)")
  }

  @Test func `a damaged archive is reported as before`() throws {
    let remote = try prepared()
    let name = "remote/wallet/copy #1 ü 100%.fueki"
    let bytes = try remote.machine.read(name)
    try remote.machine.write(Array(bytes.prefix(bytes.count - 9)), to: name)
    let list = try remote.run(["list", remote.target, "--json"])
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.filter { $0 == "incomplete" }.count == 1, "\(list.text)")
  }

  @Test func `verification downloads several archives at once, each by one rclone`() throws {
    let remote = try prepared()
    let damaged = "remote/wallet/copy #2 ü 100%.fueki"
    var bytes = try remote.machine.read(damaged)
    bytes[bytes.count / 2] ^= 1
    try remote.machine.write(bytes, to: damaged)
    // The first one fails unless a second one starts meanwhile.
    let paired = try remote.interfere(
      with: "cat",
      """
      touch "$root/cat.$$"
      for _ in {1..200}; do [[ $(ls "$root" | grep -c '^cat\\.') -ge 2 ]] && break; sleep 0.1; done
      [[ $(ls "$root" | grep -c '^cat\\.') -ge 2 ]] || exit 1
      real "$@"
      """)
    let verify = try remote.run(["verify", remote.target, "--json"], environment: paired)
    #expect(verify.status == 20, "\(verify.text)\(verify.errors)")
    let archives = try verify.json()["archives"]?.elements ?? []
    let list = try remote.run(["list", remote.target, "--json"]).json()["archives"]?.elements ?? []
    #expect(archives.map { $0["path"]?.text } == list.map { $0["path"]?.text })
    for archive in archives {
      let isDamaged = archive["path"]?.text?.contains("#2") ?? false
      #expect(archive["verdict"]?.text == (isDamaged ? "damaged" : "ok"), "\(verify.text)")
    }
    let operations = try runs(remote)
    #expect(operations.count { $0 == "cat" } == Self.copies, "\(operations)")
    // One lists the archives, and one checks at the end that the target is there.
    #expect(operations.count { $0 == "lsjson" } == 2, "\(operations)")
  }

  @Test(arguments: [
    "rm -f \"$remote/wallet/copy #1 ü 100%.fueki\"; real \"$@\"",
    "real \"$@\" | head -c 9000",
    "echo 'x: SlowDown: reduce your request rate, status code: 503' >&2; exit 1",
  ])
  func `an archive that cannot be downloaded whole fails the verification`(_ fault: String) throws {
    let remote = try prepared()
    let faulty = try remote.interfere(
      with: "cat", "if [[ $last == *'#1'* ]]; then\n\(fault)\nelse\nreal \"$@\"\nfi")
    let verify = try remote.run(["verify", remote.target, "--json"], environment: faulty)
    #expect(verify.status == 1, "\(verify.text)\(verify.errors)")
    let failed = try verify.json()["archives"]?.elements.filter { $0["verdict"]?.text == "unreadable" } ?? []
    #expect(failed.count == 1, "\(verify.text)")
  }

  @Test func `an object that vanishes after it was listed is no archive of the list`() throws {
    let remote = try prepared()
    let gone = try remote.interfere(
      with: "lsjson", "real \"$@\"; rm -f \"$remote/wallet/copy #1 ü 100%.fueki\"")
    let list = try remote.run(["list", remote.target, "--json"], environment: gone)
    #expect(try list.json()["archives"]?.elements.count == Self.copies - 1, "\(list.text)\(list.errors)")
  }
}
