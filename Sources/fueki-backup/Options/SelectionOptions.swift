internal import ArgumentParser
internal import FuekiCrypto
internal import FuekiWallet

/// Which sections a command works on.
struct OnlyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only these scopes or sections, separated by commas.", valueName: "sections"))
  var only: [String] = []

  /// The names in the options, one by one.
  static func names(_ options: [String]) -> [String] {
    options.flatMap { $0.split(separator: ",").map(String.init) }
  }

  func selection(excluding exclude: [String] = []) throws -> SectionSelection {
    try SectionSelection(only: Self.names(only), exclude: Self.names(exclude))
  }
}

/// What deriving a key from a passphrase costs, here and for whoever guesses.
struct CostOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Memory of the key derivation, 64…1024.", valueName: "MiB"))
  var kdfMemory: UInt32 = 256

  @Option(help: ArgumentHelp("Passes of the key derivation, 2…16.", valueName: "n"))
  var kdfPasses: UInt32 = 3

  func validate() throws {
    guard (64...1024).contains(kdfMemory), (2...16).contains(kdfPasses),
      UInt64(kdfMemory) * UInt64(kdfPasses) <= 16 << 10
    else { throw ValidationError("--kdf-memory is 64…1024, --kdf-passes 2…16, their product at most 16384") }
  }

  var cost: Argon2id.Cost { Argon2id.Cost(memoryKiB: kdfMemory << 10, passes: kdfPasses) }
}
