internal import FuekiSystem

/// How far a trailer is looked for behind a first header that is whole, where none is at the file's end.
///
/// A file that somebody planted may be as long as any archive, and hold nothing.
public enum TrailerSearch: Sendable {
  /// At every place that it can have, as the format says: parts that are holes are passed over, a file that lies
  /// elsewhere is brought here, and an `Interruption` ends it.
  case wholeFile
  /// At the few last places, by one read of a MiB: enough for what is appended by accident.
  case nearTheEnd
}

/// The places where the first trailer of an archive may stand, by the numbers of chunks before it.
struct TrailerPlaces {
  /// So many are looked at by one read, or between two looks for an interruption.
  private static let stretch: UInt64 = 64

  private let file: ArchiveFile
  private let fieldBytes: UInt64
  /// The greatest number of chunks that the file has room for.
  private let most: UInt64

  /// Nil where the file has no room for an archive with such a header.
  init?(of file: ArchiveFile, size: UInt64, fieldBytes: UInt64) {
    let fixed = 2 * (fieldBytes + 48 + UInt64(Trailer.byteCount))
    guard size >= fixed else { return nil }
    self.file = file
    self.fieldBytes = fieldBytes
    most = (size - fixed) / UInt64(Limits.chunkBytes + Layout.leafBytes)
  }

  /// The trailer at the last place where a whole one says itself that it stands there.
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

  /// Looks at all places, the last first, but for those in holes, where there are only zeros.
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
      // Only the end magic is looked at on the way.
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

  /// Millions of small reads are for a file of this machine only.
  private func bringHere() throws(ArchiveError) {
    do {
      try file.gather { _ in
        guard !Interruption.wasRequested else { throw SystemError(.interrupted, call: "read") }
      }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw .unreadable(SystemError(.failed, call: "read", explanation: "its bytes cannot be had"))
    }
  }
}
