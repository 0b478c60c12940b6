internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// One of several parts of folders' archives, so that several machines verify a bucket together: `3/16`.
///
/// All archives of a vault are in the same part, where their order, forks and bases are checked. Which part that is
/// depends on the vault's id alone.
struct ShardArgument: ExpressibleByArgument, CustomStringConvertible {
  private static let most = 100_000
  private let number: UInt64
  private let count: UInt64

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(parts[0]), let count = UInt64(parts[1]),
      number >= 1, number <= count, count <= Self.most
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }

  func contains(_ vault: VaultID) -> Bool { contains(vault.hex) }

  /// Whether the entry is in this part; a file that has no readable header goes by its name.
  func contains(_ entry: TargetEntry) -> Bool {
    entry.archive.map { contains($0.facts.vaultID) } ?? contains(entry.name)
  }

  private func contains(_ text: String) -> Bool {
    let start = SHA256.hash(Array(text.utf8)).hex.prefix(16)
    return (UInt64(start, radix: 16) ?? 0) % count == number - 1
  }
}
