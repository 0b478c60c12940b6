import FuekiSystem
import TestSupport
import Testing

/// Object storage that throttles, refuses, cuts or half lists: each fault is overcome or reported.
@Suite(
  .enabled(if: RcloneRemote.program != nil && PythonServer.canRun, "this machine has no rclone, or no Python")
)
struct ObjectServerTests {
  private static let copies = 5

  /// A server with several files of one archive.
  private func prepared() throws -> ObjectServer {
    let machine = try Machine()
    let bytes = try machine.read(try #require(machine.archives().first))
    let server = try ObjectServer(on: machine)
    for number in 1...Self.copies { try machine.write(bytes, to: "objects/copy-\(number).fueki") }
    return server
  }

  private func verdicts(_ verify: RunResult) throws -> [String] {
    try verify.json()["archives"]?.elements.compactMap { $0["verdict"]?.text } ?? []
  }

  @Test(arguments: ["none", "busy 2", "crowded 2"])
  func `throttling that ends is overcome`(_ fault: String) throws {
    let server = try prepared()
    try server.fail(fault)
    let verify = try server.run(["verify", server.target, "--json"]).expect(0)
    #expect(try verdicts(verify) == Array(repeating: "ok", count: Self.copies))
  }

  @Test func `verification reads each small archive once`() throws {
    let server = try prepared()
    _ = try server.requests()
    #expect(try server.run(["verify", server.target]).status == 0)
    let requests = try server.requests().filter { $0.contains("/wallet/copy-") }
    #expect(requests.count { $0.hasPrefix("GET") } == Self.copies, "\(requests)")
    #expect(requests.count { $0.hasPrefix("HEAD") } == Self.copies, "\(requests)")
  }

  @Test(arguments: ["hidden copy-2", "refused copy-2", "throttled copy-2", "cut copy-2"])
  func `an object that cannot be read is unreadable, and fails verify and status`(_ fault: String) throws {
    let server = try prepared()
    try server.fail(fault)
    let list = try server.run(["list", server.target, "--json"])
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(
      states.count == Self.copies && states.count { $0 == "unreadable" } == 1, "\(list.text)\(list.errors)")
    let verify = try server.run(["verify", server.target, "--json"]).expect(1)
    #expect(try verdicts(verify).count { $0 == "unreadable" } == 1, "\(verify.text)")
    let status = try server.run(["status", "--target", server.target])
    #expect(status.status == 60 && (status.text + status.errors).contains("copy-2"), "\(status.text)")
  }

  @Test(arguments: ["half", "torn", "expired 0", "expired 3", "skewed"])
  func `a listing that fails, and credentials that expire, are never taken for success`(
    _ fault: String
  ) throws {
    let server = try prepared()
    try server.fail(fault)
    let list = try server.run(["list", server.target, "--json"])
    let states =
      list.status == 0 ? try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } : []
    #expect(list.status == 1 || states?.contains("unreadable") ?? false, "\(list.text)\(list.errors)")
    // A changed plan counts requests from zero.
    try server.fail(fault + " ")
    try server.run(["verify", server.target]).expect(1)
    try server.fail(fault + "  ")
    let status = try server.run(["status", "--target", server.target, "--json"]).expect(60)
    #expect(
      try status.json()["targets"]?.elements.first?["problems"]?.elements.isEmpty == false, "\(status.text)")
  }

  @Test(arguments: [["verify"], ["status", "--target"]])
  func `two watchers at once both succeed`(_ command: [String]) throws {
    let server = try prepared()
    let alone = try server.run(command + [server.target])
    let script = "\"$@\" >other.txt & other=$!; \"$@\"; own=$?; wait $other; echo $own $?"
    let both = try server.run(command + [server.target], through: ["/bin/bash", "-c", script, "both"])
    #expect(both.text.hasSuffix("\(alone.status) \(alone.status)\n"), "\(both.text)\(both.errors)")
    #expect(alone.status == 0 || command[0] == "status", "\(alone.text)\(alone.errors)")
  }
}
