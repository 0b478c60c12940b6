import FuekiSystem
import TestSupport
import Testing

/// A machine with a signed archive, slots that have names, and a target that is hard to write down.
struct PrintedKit {
  static let canScan =
    Installed.runs("/usr/bin/zbarimg", ["--version"]) && Installed.runs("/usr/bin/rsvg-convert")
  static let canPrint = canScan && Chromium.isThere && Installed.runs("/usr/bin/pdfinfo", ["-v"])

  let machine: Machine
  let configuration: [String]
  let vault: String
  let signer: String
  let digest: String

  init() throws {
    machine = try SigningMachine.make(isSealed: false)
    try machine.write(Self.configuration(of: ["target", "a <b> & \\\"c\\\" folder"]), to: "config.toml")
    try Directory.makePrivateDirectories(machine.path("a <b> & \"c\" folder"))
    configuration = ["--config", machine.path("config.toml")]
    try machine.run(["create", "--json"] + machine.secrets + configuration, status: 0)
    let shown = try machine.run(["show", "latest", "--json"] + configuration).json()["header"]
    vault = try #require(shown?["vault"]?.text)
    signer = try #require(shown?["signer"]?.text)
    digest = try #require(shown?["id"]?.text)
  }

  /// Returns a configuration with targets, as TOML spells their paths, of which the first is a disk.
  static func configuration(of targets: [String]) -> String {
    let tables = targets.enumerated().map { index, path in
      "[[target]]\npath = \"\(path)\"\n" + (index == 0 ? "kind = \"local\"\n" : "")
    }
    return tables.joined() + """
      [[vault]]
      label = "family <wallet>"
      sign_key = "keys/signing.key"
      slot_names = ["paper <1>"]

      """
  }

  func run(_ arguments: [String]) throws -> RunResult {
    try machine.run(["kit"] + arguments + configuration)
  }

  func checkpoint() throws -> String {
    let run = try machine.run(
      ["checkpoint", "export", "--target", machine.target] + configuration, status: 0)
    return run.text.uppercased()
  }

  var places: String { "\(machine.target)\n\(machine.path("a <b> & \"c\" folder"))\n" }

  /// Returns the output of `zbarimg` for a picture: these codes, in any order.
  func scan(_ name: String, for codes: Set<String>) throws -> Set<String> {
    // Its XML breaks letters that are not ASCII.
    let scan = try BuiltBinary.run(program: "/usr/bin/zbarimg", ["-q", "--raw", machine.path(name)])
    var rest = scan.text
    var found: Set<String> = []
    while let code = codes.first(where: { !$0.isEmpty && rest.hasPrefix($0) }) {
      found.insert(code)
      rest.removeFirst(code.count)
    }
    return rest.isEmpty ? found : found.union([rest])
  }
}

/// Debian's browser, which prints as a person's does.
enum Chromium {
  private static let program = "/usr/bin/chromium"

  static let isThere = Installed.runs(program, ["--version"])

  @discardableResult
  static func run(_ machine: Machine, _ page: String, _ arguments: [String]) throws -> RunResult {
    let run = try BuiltBinary.run(
      program: program,
      ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
        + ["--user-data-dir=\(machine.path("tmp/browser"))"] + arguments + ["file://\(machine.path(page))"],
      environment: ["HOME": machine.path("home"), "TMPDIR": machine.path("tmp")], timeout: 240)
    try #require(run.status == 0, "\(run.errors)")
    return run
  }
}

extension Machine {
  func text(of name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }
}
