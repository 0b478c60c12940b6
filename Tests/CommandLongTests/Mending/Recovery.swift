import FuekiSystem
import TestSupport
import Testing

/// An archive with recovery files, to be damaged.
struct Recovery {
  static let isInstalled = InstalledProgram.path("par2") != nil

  let machine: Machine
  /// Below the machine's root.
  let archive: String
  let bytes: [UInt8]
  let files: [String]
  private let parity: [[UInt8]]

  var path: String { machine.path(archive) }
  var name: String { String(archive.dropFirst("target/".count)) }
  /// How many recovery blocks there are: 20 of 100, rounded up.
  var blocks: Int { ((bytes.count + 4095) / 4096 * 20 + 99) / 100 }

  init() throws {
    machine = try Machine()
    let run = try machine.create(["--parity", "20%"])
    guard run.status == 0, let made = try machine.archives().last else {
      throw PreparedMachine.Failed(run: run)
    }
    archive = made
    bytes = try machine.read(made)
    let name = String(made.dropFirst("target/".count))
    files = try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }
    let machine = machine
    parity = try files.map { try machine.read("target/\($0)") }
  }

  /// Puts everything back, and removes what was set aside.
  func reset() throws {
    try machine.write(bytes, to: archive)
    for (name, bytes) in zip(files, parity) { try machine.write(bytes, to: "target/\(name)") }
    for name in try machine.names(in: "target") where name.contains(".damaged-") {
      try machine.remove("target/\(name)")
    }
  }

  func damage(_ change: (inout [UInt8]) throws -> Void) throws {
    var bytes = bytes
    try change(&bytes)
    try machine.write(bytes, to: archive)
  }

  /// Kinds of damage, each of no more blocks than there are recovery blocks.
  static let damages: [@Sendable (Recovery, inout RandomSource) throws -> Void] = [
    { recovery, random in
      // Flips, each in a block of its own or not.
      try recovery.damage { bytes in
        for _ in 0..<recovery.blocks {
          let place = Int.random(in: bytes.indices, using: &random)
          bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
      }
    },
    { recovery, random in try recovery.overwrite(&random) { _ in 0 } },
    { recovery, random in
      var other = random
      try recovery.overwrite(&random) { _ in UInt8.random(in: .min ... .max, using: &other) }
    },
    { recovery, random in
      // A cut: what follows has moved.
      let count = Int.random(in: 1...(recovery.blocks - 2) * 4096, using: &random)
      try recovery.damage { bytes in
        let start = Int.random(in: 0..<bytes.count - count, using: &random)
        bytes.removeSubrange(start..<start + count)
      }
    },
    { recovery, random in
      let count = Int.random(in: 1...(recovery.blocks - 1) * 4096, using: &random)
      try recovery.damage { $0.removeLast(count) }
    },
    { recovery, random in
      // The index is lost, too; the other file has all that is in it.
      try recovery.overwrite(&random) { $0 ^ 0x55 }
      let index = try #require(recovery.files.first { $0 == "\(recovery.name).par2" })
      try recovery.machine.remove("target/\(index)")
    },
  ]

  private func overwrite(_ random: inout RandomSource, with byte: (UInt8) -> UInt8) throws {
    let count = Int.random(in: 1...(blocks - 2) * 4096, using: &random)
    try damage { bytes in
      let start = Int.random(in: 0..<bytes.count - count, using: &random)
      for place in start..<start + count { bytes[place] = byte(bytes[place]) }
    }
  }
}
