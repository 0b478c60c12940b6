internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension LineageGaps {
  /// The missing numbers, copies and false names, a sentence for each vault and each file.
  var sentences: [String] {
    Dictionary(grouping: gaps, by: \.vault).sorted { $0.key < $1.key }
      .map { Self.sentence($0.key, $0.value) } + fileSentences
  }

  /// The copies and false names, a sentence for each file.
  var fileSentences: [String] {
    doubles.map { "\($0.path) is a copy of \($0.of)" }
      + contested.map {
        "\($0.path) has the digest of \($0.with) and other bytes: one of the two is damaged or forged"
      }
      + misnamed.map {
        "\($0.path): its name says number \($0.named), and the archive is number \($0.sequence)"
      }
  }

  private static func sentence(_ vault: VaultID, _ gaps: [Gap]) -> String {
    let numbers = gaps.map(\.missing.sentence)
    return "of vault \(vault.hex) these numbers are missing: \(numbers.joined(separator: ", ")); "
      + "prune or a person removed them, or they were never written here"
  }
}

extension ClosedRange<UInt64> {
  /// The numbers of the range: the only one, or the first and the last.
  ///
  /// A header can state any number, so that a range can be wider than a count.
  package var sentence: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
