internal import FuekiSystem
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
    fileNames: WalletNames(certain: ["*bip329*.jsonl", "*labels*.jsonl"], possible: ["*.jsonl"]),
    limit: ImportLimits.textByteCount, what: "list of labels",
    recognises: { $0.contains("\"type\"") && $0.contains("\"ref\"") && $0.contains("{") },
    look: { found, asked in
      .wallet(try Kept(LabelLines(found.publicBytes()).records, format: "bip329-labels", asked))
    })
}

/// BIP-329 labels: one JSON object per line, with a reference and a label.
///
/// Each is kept completely as a setting. `spendable: false` is kept as well, but has no effect.
enum LabelsCollector {
  static let kind = "bip329"
}
