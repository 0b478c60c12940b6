internal import FuekiBackup
internal import FuekiWallet

extension CollectorKind {
  static let labels = CollectorKind(
    LabelsCollector.kind, "labels of transactions and addresses, as BIP-329 has them", reach: .file,
    guide: .labels,
    programs: [
      WalletProgram(
        id: "labels-export", title: "Labels (BIP-329)",
        places: [
          .export("*bip329*.jsonl", kind: "bip329", .nothingSecret, .noSeed),
          .export("*labels*.jsonl", kind: "bip329", .nothingSecret, .noSeed),
        ])
    ],
    recognises: { $0.contains("\"type\"") && $0.contains("\"ref\"") && $0.contains("{") },
    read: LabelsCollector.read)
}

/// Collects BIP-329 labels: one JSON object per line, with a reference and a label.
///
/// Each is kept completely as a setting. `spendable: false` is kept as well, but has no effect.
enum LabelsCollector {
  static let byteCountLimit = ImportLimits.textByteCount
  static let kind = "bip329"

  /// Reads the file.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let original = SourceFile.Original(kind: Self.kind, format: "bip329-labels", program: nil)
    return try source.file(limit: Self.byteCountLimit).records(request, as: original) {
      bytes in
      try LabelLines(bytes).records
    }
  }
}
