internal import ArgumentParser
internal import FuekiBackup
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

  /// The options, else the configuration's, else the format's defaults; at least what the policy demands.
  func cost(_ vault: VaultSettings) -> Argon2id.Cost {
    let least = vault.policy?.rules
    return Argon2id.Cost(
      memoryKiB: max(kdfMemory ?? vault.kdfMemory ?? Self.memory, least?.kdfMemory ?? 0) << 10,
      passes: max(kdfPasses ?? vault.kdfPasses ?? Self.passes, least?.kdfPasses ?? 0))
  }

  /// The memory without an option, in MiB.
  static func configuredMemory(_ vault: VaultSettings) -> UInt32 {
    max(vault.kdfMemory ?? memory, vault.policy?.rules?.kdfMemory ?? 0)
  }

  static let memory: UInt32 = 256
  static let passes: UInt32 = 3
}
