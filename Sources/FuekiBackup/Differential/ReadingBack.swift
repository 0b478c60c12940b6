internal import FuekiArchive

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
