internal import ArgumentParser
internal import FuekiCrypto
internal import FuekiWallet

/// The cost of deriving a key from a passphrase, for this machine and for an attacker.
struct CostOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Memory of the key derivation, 64…1024.", valueName: "MiB", visibility: .more))
  var kdfMemory: UInt32?

  @Option(help: ArgumentHelp("Passes of the key derivation, 2…16.", valueName: "n", visibility: .more))
  var kdfPasses: UInt32?

  func validate() throws {
    let (memory, passes) = (kdfMemory ?? Self.memory, kdfPasses ?? Self.passes)
    guard (64...1024).contains(memory), (2...16).contains(passes), UInt64(memory) * UInt64(passes) <= 16 << 10
    else { throw ValidationError("--kdf-memory is 64…1024, --kdf-passes 2…16, their product at most 16384") }
  }

  /// The options, else the configuration's, else the format's defaults.
  func cost(_ vault: VaultSettings) -> Argon2id.Cost {
    Argon2id.Cost(
      memoryKiB: (kdfMemory ?? vault.kdfMemory ?? Self.memory) << 10,
      passes: kdfPasses ?? vault.kdfPasses ?? Self.passes)
  }

  /// The memory without an option or a configured value, in MiB.
  static let memory: UInt32 = 256
  private static let passes: UInt32 = 3
}
