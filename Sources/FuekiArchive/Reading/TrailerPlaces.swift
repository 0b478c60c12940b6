internal import FuekiSystem

/// How far to search for a trailer after an intact first header if there is none at the file's end.
///
/// A planted file may be as long as any archive and hold nothing.
public enum TrailerSearch: Sendable {
  /// At every possible place by the format.
  ///
  /// Holes are skipped, a remote file is downloaded, and an `Interruption` ends the search.
  case wholeFile
  /// At the last few places, with one read of a MiB: enough for bytes appended by accident.
  case nearTheEnd
}

/// The possible places of an archive's first trailer, by the number of chunks before it.
struct TrailerPlaces {
  /// The number of places read at once, or between two checks for an interruption.
  private static let stretch: UInt64 = 64

  private let file: ArchiveFile
  private let fieldBytes: UInt64
  /// The maximum number of chunks that fit in the file.
  private let most: UInt64

  /// Nil if the file is too small for an archive with such a header.
  init?(of file: ArchiveFile, size: UInt64, fieldBytes: UInt64) {
    let fixed = 2 * (fieldBytes + 48 + UInt64(Trailer.byteCount))
    guard size >= fixed else { return nil }
    self.file = file
    self.fieldBytes = fieldBytes
    most = (size - fixed) / UInt64(Limits.chunkBytes + Layout.leafBytes)
  }

  /// Finds the last intact trailer that states its own place.
  func find(_ search: TrailerSearch) throws(ArchiveError) -> StructureReader.FoundTrailer? {
    switch search {
    case .nearTheEnd: return try findNearTheEnd()
    case .wholeFile:
      try bringHere()
      return try find(in: 0..<most + 1)
    }
  }

  private func offset(_ chunkCount: UInt64) -> UInt64 {
    fieldBytes + 48 + chunkCount * UInt64(Limits.chunkBytes)
  }

  private func findNearTheEnd() throws(ArchiveError) -> StructureReader.FoundTrailer? {
    let first = most + 1 - min(most + 1, Self.stretch)
    let start = offset(first)
    let bytes = try file.read(Int(offset(most) - start) + Trailer.byteCount, at: start)
    for count in (first...most).reversed() {
      let place = Int(offset(count) - start)
      guard place + Trailer.byteCount <= bytes.count else { continue }
      if let found = trailer(Array(bytes[place..<place + Trailer.byteCount]), chunkCount: count) {
        return found
      }
    }
    return nil
  }

  /// Searches all places from the last to the first, skipping holes, which hold only zeros.
  private func find(in counts: Range<UInt64>) throws(ArchiveError) -> StructureReader.FoundTrailer? {
    guard !Interruption.wasRequested else { throw .unreadable(SystemError(.interrupted, call: "pread")) }
    let bytes = offset(counts.lowerBound)..<offset(counts.upperBound - 1) + UInt64(Trailer.byteCount)
    guard file.mayHoldData(in: bytes) else { return nil }
    let length = counts.upperBound - counts.lowerBound
    guard length <= Self.stretch else {
      let middle = counts.lowerBound + length / 2
      if let found = try find(in: middle..<counts.upperBound) { return found }
      return try find(in: counts.lowerBound..<middle)
    }
    for count in counts.reversed() {
      let end = offset(count) + UInt64(Trailer.byteCount - Trailer.endMagic.count)
      // Only the end magic is read at each place.
      guard try file.read(Trailer.endMagic.count, at: end) == Trailer.endMagic else { continue }
      if let found = trailer(try file.read(Trailer.byteCount, at: offset(count)), chunkCount: count) {
        return found
      }
    }
    return nil
  }

  private func trailer(_ bytes: [UInt8], chunkCount: UInt64) -> StructureReader.FoundTrailer? {
    guard let trailer = Trailer(whole: bytes),
      let layout = Layout(fieldBytes: fieldBytes, chunkCounts: trailer.chunkCounts),
      layout.chunkCount == chunkCount
    else { return nil }
    return StructureReader.FoundTrailer(trailer: trailer, isAtEnd: false, layout: layout)
  }

  /// Downloads a remote file: millions of small reads are for local files only.
  private func bringHere() throws(ArchiveError) {
    do {
      try file.gather { _ in
        guard !Interruption.wasRequested else { throw SystemError(.interrupted, call: "read") }
      }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw .unreadable(SystemError(.failed, call: "read", explanation: "its bytes are not available"))
    }
  }
}
