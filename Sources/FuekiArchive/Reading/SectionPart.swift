/// A section within one file: the positions of its blocks, and how to open them.
struct SectionPart: Sendable {
  let opening: StreamOpening
  let section: StreamIndex.Section
  /// The offset of its blocks in its stream.
  let offset: UInt64
}

extension SectionPart {
  /// Finds a section in a stream's index; nil if it is missing.
  init?(_ id: UInt16, of index: StreamIndex, opening: StreamOpening) {
    var offset: UInt64 = 0
    for section in index.sections {
      guard section.id != id else {
        self.init(opening: opening, section: section, offset: offset)
        return
      }
      offset += section.storedBytes
    }
    return nil
  }
}
