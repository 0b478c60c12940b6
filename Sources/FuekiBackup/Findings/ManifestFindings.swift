public import FuekiWallet

extension Manifest {
  /// The name of the entry of `extra` that holds them.
  private static let entryName = "wallets"
  /// The limits of a manifest, which is one record.
  ///
  /// A user with more wallets finds the rest in the archive's files.
  private static let limit = 2000
  private static let byteCountLimit = 4 << 20

  /// The findings on the backup of each wallet, in the order of collection.
  ///
  /// They are an entry of `extra`: a JSON array of objects with `kind`, `name`, `verdict`, `reason` and `detail`, all
  /// text. Findings that this version does not know are skipped.
  public var findings: [WalletFinding] {
    get {
      guard case .json(let text)? = extra.first(where: { $0.name == Self.entryName })?.value,
        let list = try? JSONDocument(Array(text.utf8), limit: Self.byteCountLimit).root
      else { return [] }
      return list.children.compactMap(WalletFinding.init)
    }
    set {
      extra.removeAll { $0.name == Self.entryName }
      guard !newValue.isEmpty else { return }
      let entries = newValue.prefix(Self.limit).map(\.json)
      extra.append(Extra(Self.entryName, json: "[" + entries.joined(separator: ",") + "]"))
    }
  }
}

extension WalletFinding {
  fileprivate var json: String {
    let members = [
      ("kind", kind), ("name", name), ("verdict", result.verdict), ("reason", result.reason),
      ("detail", detail),
    ]
    return "{" + members.map { "\"\($0)\":\(JSONText.quoted($1))" }.joined(separator: ",") + "}"
  }

  fileprivate init?(_ value: JSONValue) {
    func text(_ name: String) -> String { value.member(name)?.string ?? "" }
    guard let result = Result(verdict: text("verdict"), reason: text("reason")) else { return nil }
    self.init(kind: text("kind"), name: text("name"), result, detail: text("detail"))
  }
}
