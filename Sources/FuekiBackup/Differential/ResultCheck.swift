internal import FuekiArchive

/// Applies a differential archive to the table of its base, and compares the result with the collected keys.
///
/// It uses only data that was read back, and no decision made during writing.
struct ResultCheck {
  private let base: BaseTable
  /// By section, the keys of the archive's own records.
  private var own: [UInt16: [RecordKey]] = [:]
  private var removed: [UInt16: Set<UInt128>] = [:]
  private var counts: [UInt16: UInt64] = [:]

  init(of base: BaseTable) { self.base = base }

  /// Takes a section's records as they were read back.
  mutating func add(_ keys: [RecordKey], of section: UInt16) { own[section, default: []] += keys }

  /// Takes section 62 as it was read back.
  mutating func add(_ changes: Changes) {
    for change in changes.sections {
      removed[change.section] = Set(change.removed.map { base.keying.key(ofIdentity: $0) })
      counts[change.section] = change.records
    }
  }

  /// Returns whether base and archive combine to the collected records, record by record.
  func holds(_ outcomes: [SectionPass.Outcome]) -> Bool {
    let ids = Set(base.sections.keys).union(own.keys).union(outcomes.map(\.id)).union(counts.keys)
    return ids.allSatisfy { id in
      let outcome = outcomes.first { $0.id == id }
      let collected = outcome?.sum ?? KeySum()
      return counts[id] ?? 0 == collected.count && sum(of: id) == collected
    }
  }

  private func sum(of section: UInt16) -> KeySum? {
    let own = (own[section] ?? []).sorted()
    let keys = base.keys(of: section)
    let removed = removed[section] ?? []
    // Each removed identity is in the base, and the archive has no record of it.
    for identity in removed {
      guard keys.has(identity), !own.has(identity) else { return nil }
    }
    var sum = KeySum()
    for key in own { sum.add(key) }
    for key in keys where !own.has(key.identity) && (removed.isEmpty || !removed.contains(key.identity)) {
      sum.add(key)
    }
    return sum
  }
}

extension [RecordKey] {
  /// Whether a record has this identity; the keys ascend.
  fileprivate func has(_ identity: UInt128) -> Bool {
    let place = firstPlace(ofIdentity: identity)
    return place < count && self[place].identity == identity
  }
}

extension HistoryPass {
  /// Reads a differential archive's history back, and compares it together with its base to the collected records.
  ///
  /// - Throws: ``FullNeeded`` if they differ; errors from reading.
  func compare(_ written: WrittenArchive, in intact: IntactArchive) throws {
    guard let base else { return }
    guard let history = try WrittenHistory(of: written, in: intact) else {
      throw FullNeeded(reason: .comesToOther)
    }
    var check = ResultCheck(of: base)
    let keying = keying
    for section in history.sections {
      guard section != Changes.sectionID else {
        try history.read(section) { block in
          let bytes = block.bytes.span
          return block.messages.map { Changes(decoding: bytes.extracting($0)) }
        } body: { found in
          for changes in found {
            guard let changes else { throw FullNeeded(reason: .comesToOther) }
            check.add(changes)
          }
        }
        continue
      }
      try history.read(section) { block in
        let bytes = block.bytes.span
        return block.messages.map { range in
          let message = bytes.extracting(range)
          return keying.key(of: message, RecordIdentity(of: message, in: section))
        }
      } body: {
        check.add($0, of: section)
      }
    }
    guard check.holds(outcomes) else { throw FullNeeded(reason: .comesToOther) }
  }
}
