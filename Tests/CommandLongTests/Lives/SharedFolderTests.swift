import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Random lives of two or three machines that share a folder, with one passphrase or with one each.
///
/// Whatever each person gives up, and whichever vault each machine goes on with: what was saved on a machine and not given up
/// there is in an archive at the end.
struct SharedFolderTests {
  static let numbers: [Int] = {
    let asked = Environment.get("FUEKI_SHARED")?.split(separator: "-").compactMap { Int($0) } ?? []
    if let first = asked.first, let last = asked.last, first <= last { return Array(first...last) }
    return TestSeed.isFull ? Array(0..<200) : TestSeed.sample(Array(0..<20), of: 3)
  }()

  @Test(arguments: numbers) func `nothing of any machine is lost that its person did not give up`(
    _ number: Int
  ) throws {
    var life = try SharedLife(number)
    do {
      try life.play()
    } catch let broken as SharedLife.Broken {
      Issue.record("FUEKI_SHARED=\(number): \(broken.description)\n\(life.lines.joined(separator: "\n"))")
    }
  }
}

private struct SharedLife {
  struct Broken: Error { let description: String }

  private struct Owner {
    let machine: Machine
    /// What the person saved and did not give up, by the file's name.
    var kept: [String: [UInt8]] = [:]
    /// Whether a file has changed since the last night.
    var isChanged = true
  }

  private static let names = ["a", "b", "c", "d"]
  private let folder: Machine
  private var owners: [Owner] = []
  private var random: RandomSource
  private var version = 0
  private(set) var lines: [String] = []

  init(_ number: Int) throws {
    random = TestSupport.random(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
    folder = try Machine(isPrepared: false)
    let isCommon = number % 4 != 3
    for place in 0..<2 + random.below(2) {
      let machine = try Machine.sharing(folder, label: "m\(place)")
      if !isCommon {
        try machine.write("the passphrase of machine \(place), long enough to be one", to: "passphrase")
      }
      owners.append(Owner(machine: machine))
    }
  }

  mutating func play() throws {
    for place in owners.indices {
      try write(on: place)
      try night(on: place, [])
    }
    for _ in 0..<8 + random.below(8) {
      let place = random.below(owners.count)
      switch random.below(9) {
      case 0, 1: try write(on: place)
      case 2: try copy(to: place)
      case 3: try delete(on: place)
      case 4, 5: try night(on: place, [])
      case 6: try night(on: place, ["--accept", "loss"])
      case 7: try prune(on: place)
      default: try loseState(on: place)
      }
    }
    for place in owners.indices { try night(on: place, []) }
    try prune(on: random.below(owners.count))
    try checkAll()
  }

  private func path(_ name: String) -> String { "home/x/\(name)" }

  private mutating func write(on place: Int) throws {
    let name = Self.names[random.below(Self.names.count)]
    version += 1
    lines.append("machine \(place): write \(name), version \(version)")
    try owners[place].machine.write("version \(version) of the money in \(name), long enough", to: path(name))
    owners[place].isChanged = true
  }

  /// The person takes a file from another machine along.
  private mutating func copy(to place: Int) throws {
    let other = owners[random.below(owners.count)].machine
    let name = Self.names[random.below(Self.names.count)]
    guard other.exists(path(name)) else { return }
    lines.append("machine \(place): take \(name) along")
    try owners[place].machine.write(try other.read(path(name)), to: path(name))
    owners[place].isChanged = true
  }

  private mutating func delete(on place: Int) throws {
    let name = Self.names[random.below(Self.names.count)]
    let machine = owners[place].machine
    guard machine.exists(path(name)), try machine.names(in: "home/x").count > 1 else { return }
    lines.append("machine \(place): delete \(name)")
    try machine.remove(path(name))
    owners[place].isChanged = true
  }

  private mutating func loseState(on place: Int) throws {
    guard owners[place].machine.exists("state") else { return }
    lines.append("machine \(place): lose the state")
    try owners[place].machine.remove("state")
    owners[place].isChanged = true
  }

  private mutating func run(_ arguments: [String], on place: Int) throws -> RunResult {
    let machine = owners[place].machine
    let result = try machine.run(arguments + ["--config", machine.path("config.toml")])
    lines.append("machine \(place): \(arguments.joined(separator: " ")) -> \(result.status)")
    return result
  }

  private mutating func night(on place: Int, _ options: [String]) throws {
    let status = try run(["status"], on: place)
    var made = try run(["create"] + options, on: place)
    if status.status == 0, !owners[place].isChanged, options.isEmpty, made.status != 0 {
      throw Broken(description: "status was 0, and create ended with \(made.status): \(made.errors)")
    }
    // Half of the time the person chooses at once.
    let text = made.text + made.errors
    if let ways = text.firstRange(of: "create --continue "), random.below(2) == 0 {
      let vault = String(text[ways.upperBound...].prefix(12))
      let choice = random.below(2) == 0 ? ["--continue", vault] : ["--new-vault"]
      note(made, options, on: place)
      made = try run(["create"] + choice, on: place)
    } else if made.status == 23 {
      made = try run(["create", "--new-vault"], on: place)
    }
    guard [0, 3, 60].contains(made.status) else {
      throw Broken(description: "create ended with \(made.status): \(made.text)\(made.errors)")
    }
    note(made, options, on: place)
  }

  /// Remembers what an archive that was made must give back.
  private mutating func note(_ made: RunResult, _ options: [String], on place: Int) {
    guard made.status == 0 || made.status == 3 else { return }
    let machine = owners[place].machine
    for name in Self.names {
      if machine.exists(path(name)) {
        owners[place].kept[name] = try? machine.read(path(name))
      } else if options.contains("loss") {
        owners[place].kept[name] = nil
      }
    }
    owners[place].isChanged = false
  }

  private mutating func prune(on place: Int) throws {
    let pruned = try run(["prune", "--keep-last", "1", "--yes"], on: place)
    guard [0, 3].contains(pruned.status) else {
      throw Broken(description: "prune ended with \(pruned.status): \(pruned.errors)")
    }
  }

  /// Restores every archive on a new machine, and looks for what each person kept.
  private mutating func checkAll() throws {
    var left = owners.map { Set($0.kept.values) }
    for archive in try folder.archives().reversed() {
      for place in owners.indices where !left[place].isEmpty {
        let new = try Machine(isPrepared: false)
        let restored = try new.run(
          ["restore", folder.path(archive), "--datadir", new.path("data"), "--files", new.path("back")]
            + ["--no-resync", "-p", owners[place].machine.path("passphrase"), "--trusted-signer", "any"])
        guard restored.status == 0 || restored.status == 3, new.exists("back") else { continue }
        let contents = Set(try new.snapshot(of: "back").values)
        for other in owners.indices { left[other].subtract(contents) }
        break
      }
    }
    for place in owners.indices where !left[place].isEmpty {
      let lost = left[place].map { String(decoding: $0, as: UTF8.self) }
      throw Broken(description: "machine \(place) lost \(lost)")
    }
  }
}
