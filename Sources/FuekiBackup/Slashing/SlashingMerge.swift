internal import FuekiArchive
internal import FuekiSystem

/// Merges a validator's slashing record with the existing one.
///
/// Replacing a newer record with an older one would lose everything signed since.
struct SlashingMerge {
  private static let suffix = Array(HoldReason.suffix.utf8)

  let walk: PlaceWalk

  /// An existing record, in the place of the archive's or where its program left its own.
  private struct Present {
    let names: [[UInt8]]
    let record: SlashingRecord
    let isHold: Bool
  }

  /// Decides the fate of records that meet another one, and leaves all others undecided.
  func settle(
    _ plan: inout PlacePlan, in root: borrowing Directory, with archive: any UnlockedArchive
  ) throws {
    var present: [OriginalFile.Key: [Present]] = [:]
    for planned in plan.files where Self.isRecord(planned) {
      let found = records(beside: planned.names, in: root)
      if !found.isEmpty { present[planned.file.key] = found }
    }
    guard !present.isEmpty else { return }
    var contents: [OriginalFile.Key: [UInt8]] = [:]
    try archive.forEachOriginalPart { part, content in
      guard present[part.key] != nil, part.offset == UInt64(contents[part.key]?.count ?? 0) else { return }
      for index in content.indices { contents[part.key, default: []].append(content[index]) }
    }
    for index in plan.files.indices {
      let key = plan.files[index].file.key
      guard Self.isRecord(plan.files[index]), let found = present[key], let bytes = contents[key],
        let record = try? SlashingRecord(reading: bytes)
      else { continue }
      settle(&plan.files[index], record, beside: found)
    }
  }

  private static func isRecord(_ planned: PlannedFile) -> Bool {
    planned.fate == .place && planned.hold == .slashingRecord && planned.file.format == SlashingRecord.format
      && planned.file.byteCount <= UInt64(SlashingRecord.byteCountLimit)
  }

  private func settle(_ planned: inout PlannedFile, _ record: SlashingRecord, beside found: [Present]) {
    var merged = record
    for other in found {
      guard let both = merged.merged(with: other.record) else {
        planned.unmergedWith.append(Self.path(other.names, of: planned))
        continue
      }
      merged = both
    }
    // A record that covers everything already exists, under either name.
    if let sufficient = found.first(where: { $0.record.covers(merged) }) {
      planned.fate = .present
      planned.path = Self.path(sufficient.names, of: planned)
      planned.names = sufficient.names
      if !sufficient.isHold { planned.hold = nil }
      return
    }
    guard found.contains(where: { $0.record.genesisRoot == merged.genesisRoot }), record.genesisRoot != nil
    else { return }
    let hold = found.first(where: \.isHold)
    // From another network: it stays, and the new one goes next to it.
    if let hold, hold.record.genesisRoot != merged.genesisRoot { return }
    planned.merged = merged.fileContent
    if hold != nil { planned.fate = .replace }
  }

  private static func path(_ names: [[UInt8]], of planned: PlannedFile) -> String {
    "\(PathParts(planned.path).folder)/\(PathText.text(names.last ?? []))"
  }

  /// Returns the records under the file's new name, and under the name that its program looks for.
  private func records(beside names: [[UInt8]], in root: borrowing Directory) -> [Present] {
    guard let last = names.last, last.count > Self.suffix.count,
      let opened = try? walk.open(names.dropLast(), in: root, makes: false)
    else { return [] }
    let folder = opened.folder
    var found: [Present] = []
    for (name, isHold) in [(last, true), (Array(last.dropLast(Self.suffix.count)), false)] {
      guard (try? folder.status(of: name).kind) == .file, let file = try? folder.openFile(name),
        let bytes = try? file.readAll(limit: SlashingRecord.byteCountLimit),
        let record = try? SlashingRecord(reading: bytes)
      else { continue }
      found.append(Present(names: names.dropLast() + [name], record: record, isHold: isHold))
    }
    return found
  }
}
