import FuekiSystem
import TestSupport
import Testing

/// Files that an attacker with access to the synced folder, but without its owner's keys, puts there.
enum Plant: String, CaseIterable, Sendable {
  /// Whole and unsigned, of the right vault, with a higher number.
  case unsigned
  /// Signed by another.
  case another
  /// In the right vault, with nearly the highest number.
  case huge
  /// Sealed to the person's public key: their own key opens it.
  case sealed

  /// The number in the vault's lineage that it says it has.
  var sequence: UInt64 {
    switch self {
    case .unsigned: 50
    case .another: 60
    case .huge: .max - 1
    case .sealed: 70
    }
  }
}

/// The plants of a run of the tests, and the machine that they are planted on, each made once.
struct Plants: Sendable {
  static let made = Result { try Plants() }

  /// A machine with three archives, which it signed with the key that the first was given.
  private let owner: Machine
  private let attacker: Machine
  let vault: String
  /// The public half of the owner's identity, which anybody may know.
  let recipient: String

  private init() throws {
    owner = try Machine()
    for _ in 0..<2 { try #require(try owner.create().status == 0) }
    try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", owner.path("identity")]).expect(0)
    let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", owner.path("identity")])
    recipient = shown.text.filter { !$0.isWhitespace }
    let state = try #require(owner.names(in: "state").first { $0.hasPrefix("vault-") })
    vault = String(state.dropFirst("vault-".count).dropLast(".json".count))
    // Every header has the vault's id, which lets the program itself make such archives.
    attacker = try Machine()
    try attacker.write("what only the stranger knows, 36 bytes", to: "strange.pass")
    let made = try attacker.run(
      ["key", "new-signer", "--output", attacker.path("strange.key"), "--no-passphrase"])
    try #require(made.status == 0, "\(made.errors)")
    for plant in Plant.allCases { try make(plant) }
  }

  private func make(_ plant: Plant) throws {
    try attacker.remove("state")
    try attacker.write(
      Machine.state(sequence: plant.sequence - 1), to: "state/vault-\(vault).json")
    try Directory.makePrivateDirectories(attacker.path(plant.rawValue))
    let slots =
      plant == .sealed
      ? ["--recipient", recipient] : ["-p", attacker.path("strange.pass")]
    let signing =
      plant == .another || plant == .huge ? ["--sign-key", attacker.path("strange.key")] : ["--unsigned"]
    let run = try attacker.run(
      ["create", "--target", attacker.path(plant.rawValue), "--json"] + attacker.keychainSecret
        + Machine.quick + slots + signing)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try run.json()["sequence"] == .number(Double(plant.sequence)))
  }

  /// Makes a machine with three archives of its own in its target, and no others.
  func machine() throws -> Machine { try Machine(copying: owner.root) }

  /// Makes the same machine with plants next to its archives, copied from their origin.
  func machine(with plants: [Plant]) throws -> Machine {
    let machine = try machine()
    try plant(plants, on: machine)
    return machine
  }

  func plant(_ plants: [Plant], on machine: Machine, in folder: String = "target") throws {
    for plant in plants {
      let name = try name(of: plant)
      try machine.write(attacker.read("\(plant.rawValue)/\(name)"), to: "\(folder)/\(name)")
    }
    try machine.write(attacker.read("strange.pass"), to: "strange.pass")
  }

  func name(of plant: Plant) throws -> String {
    try #require(attacker.names(in: plant.rawValue).first { $0.hasSuffix(".fueki") })
  }

  func bytes(of plant: Plant) throws -> [UInt8] { try attacker.read("\(plant.rawValue)/\(name(of: plant))") }

  /// Options that open a plant.
  func secrets(of plant: Plant, on machine: Machine) -> [String] {
    plant == .sealed
      ? ["--identity", machine.path("identity")] : ["-p", machine.path("strange.pass")]
  }
}

extension Machine {
  /// Returns a machine's state of a vault that has reached a number.
  static func state(sequence: UInt64, more: String = "") -> String {
    "{\"known\": {\"digest\": \"\(String(repeating: "ab", count: 32))\", \"sequence\": \(sequence)}\(more)}"
  }

  /// The paths of this machine's own archives, the oldest first: numbers 1 to 9.
  func own(in folder: String = "target") throws -> [String] {
    try names(in: folder).filter { $0.contains("Z-00000") }.sorted {
      number(of: $0) < number(of: $1)
    }.map { "\(folder)/\($0)" }
  }

  private func number(of name: String) -> Int {
    name.split(separator: "-").first { $0.utf8.count == 6 && $0.allSatisfy(\.isNumber) }.flatMap { Int($0) }
      ?? 0
  }

  /// The key that this machine made for its vault, and its public line.
  func madeKey() throws -> (path: String, line: String) {
    let name = try #require(names(in: "state").first { $0.hasPrefix("signing-") && $0.hasSuffix(".key") })
    let line = try text(of: "state/\(name.dropLast(4)).pub").filter { $0 != "\n" }
    return ("state/\(name)", line)
  }

  /// Everything but this machine's state is a new machine's, which knows the archives and a secret.
  func forget() throws {
    try remove("state")
    try? remove("data")
  }

  /// Puts an archive into the vault that the test vectors' writer makes without any of its secrets; the fault, `too-new`
  /// or `over-limit`, is what a reader has to say of it.
  func plant(_ name: String, vault: String, number: UInt64, _ fault: String) throws {
    let run = try BuiltBinary.run(
      program: "/usr/bin/python3",
      ["\(SourceTree.path)/Tests/Foreign/planted_archives.py", vault, "\(number)", fault, path(name)])
    try #require(run.status == 0, "\(run.errors)")
  }
}
