internal import FuekiSources
internal import FuekiSystem
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

/// A label file's lines, converted to settings.
package struct LabelLines {
  static let settingPrefix = Setting.labelPrefix

  private static let types: Set<String> = ["tx", "addr", "pubkey", "input", "output", "xpub"]
  private static let lineLimit = ImportLimits.lineByteCount
  private static let noteLimit = 20

  package private(set) var records = ImportedRecords()
  private var keys = SettingKeys()
  private var unspendable = 0
  private var badLines = 0

  /// Parses a complete file.
  ///
  /// Invalid lines are reported if at least one is valid.
  package init(_ bytes: [UInt8]) throws(ForeignFileError) {
    records.budget.read(bytes.count)
    var number = 0
    TextLines.forEachLine(of: try TextLines.text(bytes)) { line in
      number += 1
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { take(Array(line), number) }
    }
    try records.checkLimits()
    guard !records.settings.isEmpty else {
      throw .notThisFormat(reason: "no line of it is a label as BIP-329 has them")
    }
    if badLines > Self.noteLimit {
      records.exclude("lines", "\(badLines - Self.noteLimit) more that are no labels", loss: .possible)
    }
    if unspendable > 0 {
      records.note(
        "\(unspendable == 1 ? "a coin is" : "\(unspendable) coins are") marked as not to be spent: "
          + "the mark is kept, and freezes nothing",
        .settings, PackedText.pack(Self.settingPrefix))
    }
  }

  /// Returns the setting's key for a label's reference.
  static func key(_ type: String, _ reference: String, origin: String = "") -> String {
    settingPrefix + "\(type).\(reference)" + (origin.isEmpty ? "" : "@\(origin)")
  }

  private mutating func take(_ line: [UInt8], _ number: Int) {
    guard let object = try? JSONDocument(line, limit: Self.lineLimit).root, object.kind == .object,
      let type = object.member("type")?.string, let reference = object.member("ref")?.string,
      !reference.isEmpty
    else {
      badLines += 1
      if badLines <= Self.noteLimit {
        records.exclude("line \(number)", "it is no label as BIP-329 has them", loss: .possible)
      }
      return
    }
    // An unknown type, possibly of a later version, is kept like the others.
    if !Self.types.contains(type) {
      records.note(
        "line \(number): the type \"\(type.prefix(40))\" is not known", .settings, PackedText.pack(type))
    }
    if object.member("spendable")?.boolean == false { unspendable += 1 }
    let origin = object.member("origin")?.string ?? ""
    records.add(setting: Self.key(type, reference, origin: origin), object.source, taken: &keys)
  }
}
