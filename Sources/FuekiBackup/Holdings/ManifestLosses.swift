public import FuekiWallet
internal import FuekiCrypto
internal import SwiftProtobuf

// What a manifest says of things that earlier archives have, and its own has not.

extension Manifest {
  private static let lossesName = "losses"
  /// More losses than this stay in this machine's state only: a manifest is one record.
  private static let listedLosses = 200
  private static let lossesByteCountLimit = 4 << 20

  /// The things that earlier archives have, and this one has not; those of a later version's kind are left out.
  public var losses: [Absence] {
    guard case .json(let text)? = extra.first(where: { $0.name == Self.lossesName })?.value,
      let list = try? JSONDocument(Array(text.utf8), limit: Self.lossesByteCountLimit).root
    else { return [] }
    return list.children.compactMap(Absence.init)
  }

  /// The manifest's bytes in the room that ``byteCount(for:)`` keeps for them.
  func serialized(losing absent: [Absence], paddedTo byteCount: Int) throws(ManifestError) -> [UInt8] {
    // Padding cannot make up a difference of 1 or 2 bytes: a blank more in the list can.
    for blanks in 0..<4 {
      do {
        return try listing(absent, blanks: blanks).serialized(paddedTo: byteCount)
      } catch .unreachable where blanks < 3 {
        continue
      }
    }
    throw .unreachable(byteCount: byteCount)
  }

  /// As many bytes as the manifest may need, before the archive's things are known.
  func byteCount(for before: Inventory?) throws(ManifestError) -> Int {
    guard let before, !before.absent.isEmpty || !before.present.isEmpty else { return try bareByteCount }
    let known = before.absent.map {
      Absence(holding: $0.holding, last: $0.last, isLoss: true, isAccepted: false)
    }
    let possible = before.present.map {
      Absence(holding: $0, last: before.archive, isLoss: true, isAccepted: false)
    }
    let longest = (known + possible).sorted { $0.json.utf8.count > $1.json.utf8.count }
    return try listing(longest, blanks: 0).bareByteCount + 8
  }

  private var bareByteCount: Int {
    get throws(ManifestError) {
      var bare = self
      bare.padding.removeAll()
      guard let bytes = try? bare.serializedBytes() as [UInt8] else { throw .notEncodable }
      return bytes.count
    }
  }

  private func listing(_ absent: [Absence], blanks: Int) -> Manifest {
    let listed = absent.filter(\.isLoss).prefix(Self.listedLosses)
    guard !listed.isEmpty || blanks > 0 else { return self }
    var manifest = self
    let text = "[" + listed.map(\.json).joined(separator: ",") + "]"
    manifest.extra.append(Extra(Self.lossesName, json: text + String(repeating: " ", count: blanks)))
    return manifest
  }
}

extension Absence {
  fileprivate var json: String {
    "{\"kind\":\"\(holding.kind.rawValue)\",\"name\":\(JSONText.quoted(holding.name)),\"id\":\"\(holding.id)\","
      + "\"section\":\(holding.section),\"sequence\":\(last.sequence),\"digest\":\"\(last.digest)\","
      + "\"accepted\":\(isAccepted)}"
  }

  fileprivate init?(_ value: JSONValue) {
    guard let kind = value.member("kind")?.string.flatMap(Holding.Kind.init),
      let name = value.member("name")?.string, let id = value.member("id")?.string,
      let section = value.member("section")?.number.flatMap(UInt16.init),
      let sequence = value.member("sequence")?.number.flatMap(UInt64.init),
      let digest = value.member("digest")?.string.flatMap(Digest.init(hex:))
    else { return nil }
    self.init(
      holding: Holding(kind: kind, id: id, name: name, section: section),
      last: VaultState.Link(sequence: sequence, digest: digest), isLoss: true,
      isAccepted: value.member("accepted")?.boolean ?? false)
  }
}
