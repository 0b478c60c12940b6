internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import SwiftProtobuf
public import FuekiWallet

// The manifest's list of things that earlier archives have and its own lacks.

extension Manifest {
  private static let lossesName = "losses"
  /// A manifest is one record, and lists at most so many losses.
  private static let listedLosses = 200
  /// Beyond the limit, this many final entries each count the unlisted losses of one archive.
  private static let countedArchives = 50
  private static let lossesByteCountLimit = 4 << 20

  /// The things that earlier archives have, and this one has not; those of a later version's kind are left out.
  public var losses: [Absence] {
    guard case .json(let text)? = extra.first(where: { $0.name == Self.lossesName })?.value,
      let list = try? JSONDocument(Array(text.utf8), limit: Self.lossesByteCountLimit).root
    else { return [] }
    return list.children.compactMap(Absence.init)
  }

  /// The manifest's bytes in the room that ``byteCount(for:)`` keeps for them.
  package func serialized(losing absent: [Absence], paddedTo byteCount: Int) throws(ManifestError) -> [UInt8]
  {
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
  package func byteCount(for before: Inventory?) throws(ManifestError) -> Int {
    guard let before, !before.absent.isEmpty || !before.present.isEmpty else { return try bareByteCount }
    let known = before.absent.map {
      Absence(
        holding: $0.holding, last: $0.last, isLoss: true, isAccepted: false,
        replaced: $0.replaced ?? $0.holding.longestReplacement)
    }
    let possible = before.present.map {
      Absence(
        holding: $0, last: before.archive, isLoss: true, isAccepted: false, replaced: $0.longestReplacement)
    }
    let all = (known + possible).sorted { $0.json.utf8.count > $1.json.utf8.count }
    let listed = try with(Array(all.prefix(Self.listedLosses)), blanks: 0).bareByteCount
    guard all.count > Self.listedLosses else { return listed + 8 }
    // No count of them is longer than that of all in the archive with the highest number.
    let most = Absence(
      counting: all.reduce(0) { $0 + $1.count },
      last: VaultState.Link(sequence: .max, digest: SHA256.hash([])), isAccepted: false)
    let counted = Array(repeating: most, count: Self.countedArchives)
    let listedAndCounted = try with(
      all.prefix(Self.listedLosses - Self.countedArchives) + counted, blanks: 0
    ).bareByteCount
    return max(listed, listedAndCounted) + 8
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
    let losses = absent.filter(\.isLoss)
    return with(losses.count > Self.listedLosses ? Self.shortened(losses) : losses, blanks: blanks)
  }

  /// The losses that were not accepted before the others, and of those that find no room, how many each archive has.
  private static func shortened(_ losses: [Absence]) -> [Absence] {
    let ordered = losses.filter { !$0.isAccepted } + losses.filter(\.isAccepted)
    let listed = ordered.prefix(listedLosses - countedArchives)
    struct Place: Hashable {
      let last: VaultState.Link
      let isAccepted: Bool
    }
    var counts: [Place: Int] = [:]
    for absence in ordered.dropFirst(listed.count) {
      counts[Place(last: absence.last, isAccepted: absence.isAccepted), default: 0] += absence.count
    }
    // If there are too many archives, the last with room also counts the oldest.
    let places = counts.sorted {
      ($0.key.isAccepted ? 1 : 0, $1.key.last.sequence) < ($1.key.isAccepted ? 1 : 0, $0.key.last.sequence)
    }
    var counted = places.prefix(countedArchives).map {
      Absence(counting: $0.value, last: $0.key.last, isAccepted: $0.key.isAccepted)
    }
    let rest = places.dropFirst(countedArchives)
    if !rest.isEmpty, let last = counted.popLast() {
      counted.append(
        Absence(
          counting: rest.reduce(last.count) { $0 + $1.value }, last: last.last,
          isAccepted: last.isAccepted && rest.allSatisfy(\.key.isAccepted)))
    }
    return listed + counted
  }

  private func with(_ listed: some Collection<Absence>, blanks: Int) -> Manifest {
    guard !listed.isEmpty || blanks > 0 else { return self }
    var manifest = self
    let text = "[" + listed.map(\.json).joined(separator: ",") + "]"
    manifest.extra.append(Extra(Self.lossesName, json: text + String(repeating: " ", count: blanks)))
    return manifest
  }
}

extension Absence {
  /// So many losses of one archive that find no room in a manifest.
  fileprivate init(counting count: Int, last: VaultState.Link, isAccepted: Bool) {
    self.init(holding: .more(count, in: last), last: last, isLoss: true, isAccepted: isAccepted)
  }

  /// How many things it stands for.
  fileprivate var count: Int {
    guard holding.kind == .more else { return 1 }
    return Int(holding.name.text.prefix { $0.isNumber }) ?? 1
  }

  fileprivate var json: String {
    "{\"kind\":\"\(holding.kind.rawValue)\",\"name\":\(JSONText.quoted(holding.name.text)),\"id\":\"\(holding.id)\","
      + "\"section\":\(holding.section),\"sequence\":\(last.sequence),\"digest\":\"\(last.digest)\","
      + "\"accepted\":\(isAccepted)\(replaced.map { ",\"replaced\":\"\($0.rawValue)\"" } ?? "")}"
  }

  fileprivate init?(_ value: JSONValue) {
    guard let kind = value.member("kind")?.string.flatMap(Holding.Kind.init),
      let name = value.member("name")?.string, let id = value.member("id")?.string,
      let section = value.member("section")?.number.flatMap(UInt16.init),
      let sequence = value.member("sequence")?.number.flatMap(UInt64.init),
      let digest = value.member("digest")?.string.flatMap(Digest.init(hex:))
    else { return nil }
    self.init(
      holding: Holding(kind: kind, id: id, name: ExactText(name), section: section),
      last: VaultState.Link(sequence: sequence, digest: digest), isLoss: true,
      isAccepted: value.member("accepted")?.boolean ?? false,
      replaced: value.member("replaced").flatMap {
        $0.boolean ?? false ? .key : $0.string.flatMap(Replacement.init)
      })
  }
}

/// A part of the vault's last archive of which nothing is left, as on a machine that was emptied.
public enum EmptiedPart: Codable, Hashable, Sendable {
  /// Every wallet is missing.
  case wallets(UInt64)
  /// Every original file is missing, and there is no wallet.
  case files(UInt64)
  /// Every key and every secret file is missing.
  case secrets(UInt64)
  /// Every record of a scope is missing.
  case scope(String, records: UInt64)

  /// Finds the parts that are now empty.
  ///
  /// The number of settings or labels never counts: a scope counts once all of it is gone.
  ///
  /// - Parameters:
  ///   - sections: the requested sections that may be backed up.
  ///   - compared: the requested sections.
  ///   - vault: this machine's memory of earlier archives.
  ///   - now: the things in the new archive, including incomplete ones.
  ///   - counts: the new archive's records, by section.
  /// - Returns: the parts, in the order of the cases.
  static func all(
    among sections: Set<Section>, comparing compared: Set<Section>, from vault: VaultState, to now: [Holding],
    counts: [String: UInt64]
  ) -> [EmptiedPart] {
    // Another machine's contents do not predict those of this one.
    guard let before = vault.counts else { return [] }
    func things(in sections: Set<Section>) -> [Holding] {
      (vault.inventory?.own(in: vault.known) ?? []).filter {
        Section(rawValue: $0.section).map(sections.contains) ?? false
      }
    }
    func count(_ kind: Holding.Kind, in holdings: [Holding]) -> UInt64 {
      UInt64(holdings.count { $0.kind == kind })
    }
    var parts: [EmptiedPart] = []
    let (wallets, files) = (count(.wallet, in: things(in: compared)), count(.file, in: things(in: compared)))
    let hasWallets = count(.wallet, in: now) > 0
    if wallets > 0, !hasWallets { parts.append(.wallets(wallets)) }
    if files > 0, wallets == 0, !hasWallets, count(.file, in: now) == 0 { parts.append(.files(files)) }
    let secrets = things(in: sections).count(where: \.isSecret)
    if secrets > 0, !now.contains(where: \.isSecret) { parts.append(.secrets(UInt64(secrets))) }
    for scope in ArchiveScope.allCases {
      let own = sections.filter { $0.scope == scope }
      let old = own.reduce(0) { $0 + (before[$1.name] ?? 0) }
      let left = scope.sections.reduce(0) { $0 + (counts[$1.name] ?? 0) }
      if old > 0, left == 0, scope != .secrets || secrets == 0 {
        parts.append(.scope(scope.name, records: old))
      }
    }
    return parts
  }
}
