internal import FuekiCrypto

/// Finds the header and the trailer that serve: step 1 of FORMAT.md section 8, with the rules of section 2
/// ("Which copy serves" and "Newer versions").
struct StructureReader {
  let file: ArchiveFile
  let size: UInt64
  private(set) var damage: [ArchiveError.Damage] = []

  init(file: ArchiveFile) throws(ArchiveError) {
    self.file = file
    do {
      size = try file.byteCount()
    } catch { throw .unreadable(error) }
  }

  /// What the file's first bytes say, before anything is believed.
  private struct FirstHeader {
    var hasMagic = false
    var isCutOff = false
    /// Bytes 0..<48+L, where the digest behind the fields holds.
    var whole: [UInt8]?
    var fieldBytes: UInt32?
  }

  /// The served parts. Damage to a copy is in ``damage``; damage that leaves none is thrown.
  mutating func locate() throws(ArchiveError) -> (header: Header, trailer: Trailer, layout: Layout) {
    let first = try readFirstHeader()
    var lastTrailer: Trailer?
    if size >= UInt64(Trailer.byteCount) {
      lastTrailer = Trailer(whole: try file.read(Trailer.byteCount, at: size - UInt64(Trailer.byteCount)))
    }
    guard first.hasMagic || lastTrailer != nil else { throw .notAnArchive }

    let (trailer, layout) = try servingTrailer(first, last: lastTrailer)
    let headerBytes = try servingHeader(first, trailer: trailer, layout: layout)
    try compareTrailers(trailer, layout)
    let header = try Header(decoding: Array(headerBytes.dropLast(32)))
    return (header, trailer, layout)
  }

  // MARK: the first header

  private func readFirstHeader() throws(ArchiveError) -> FirstHeader {
    var first = FirstHeader()
    let prefix = try file.read(Layout.prefixBytes, at: 0)
    guard prefix.count >= Layout.magic.count else {
      throw Layout.magic.starts(with: prefix) ? .incomplete : .notAnArchive
    }
    first.hasMagic = prefix.starts(with: Layout.magic)
    guard first.hasMagic else { return first }
    guard prefix.count == Layout.prefixBytes else { throw .incomplete }
    let (major, length) = Self.versionAndLength(prefix)
    first.fieldBytes = length
    guard Limits.headerFieldBytes.contains(Int(length)) else {
      if major > Layout.major, length > 0 { throw .overLimit(.headerLength) }
      return first
    }
    let bytes = try file.read(Int(length) + 48, at: 0)
    guard bytes.count == Int(length) + 48 else {
      first.isCutOff = true
      return first
    }
    guard Self.isWhole(bytes) else { return first }
    guard major <= Layout.major else { throw .tooNew(.major(major)) }
    first.whole = bytes
    return first
  }

  private static func versionAndLength(_ prefix: [UInt8]) -> (major: UInt16, length: UInt32) {
    let major = UInt16(prefix[8]) | UInt16(prefix[9]) << 8
    let length = (12..<16).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(prefix[$1]) }
    return (major, length)
  }

  /// Whether the digest at the end of a header's bytes holds.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    SHA256.hash(bytes.span.extracting(0..<bytes.count - 32)).bytes == Array(bytes.suffix(32))
  }

  // MARK: the trailer

  private mutating func servingTrailer(
    _ first: FirstHeader, last: Trailer?
  ) throws(ArchiveError) -> (Trailer, Layout) {
    if let last {
      return (last, try layout(of: last, first))
    }
    guard let header = first.whole else {
      guard first.isCutOff else { throw .damaged(.structure) }
      throw try endsInMagic() ? .damaged(.structure) : .incomplete
    }
    guard let (trailer, layout) = try searchTrailer(fieldBytes: UInt64(header.count - 48)) else {
      throw try endsInMagic() ? .damaged(.structure) : .incomplete
    }
    guard layout.length <= size else { throw .incomplete }
    if layout.length < size {
      damage.append(.trailingBytes(count: size - layout.length))
    } else {
      damage.append(.trailerCopy)
    }
    return (trailer, layout)
  }

  /// The layout that a trailer at the file's end announces, with L from the file's length.
  private func layout(of trailer: Trailer, _ first: FirstHeader) throws(ArchiveError) -> Layout {
    if let header = first.whole {
      guard let layout = Layout(fieldBytes: UInt64(header.count - 48), chunkCounts: trailer.chunkCounts)
      else { throw .damaged(.structure) }
      // Cut right behind the first trailer, a file ends in a whole one.
      guard layout.length <= size else { throw .incomplete }
    }
    guard let chunks = Layout(fieldBytes: 0, chunkCounts: trailer.chunkCounts), chunks.length < size,
      (size - chunks.length).isMultiple(of: 2),
      let layout = Layout(fieldBytes: (size - chunks.length) / 2, chunkCounts: trailer.chunkCounts)
    else {
      guard first.hasMagic else { throw .notAnArchive }
      throw .damaged(.structure)
    }
    guard layout.fieldBytes <= UInt64(Limits.headerFieldBytes.upperBound) else {
      // Only a header that says so too makes it a limit; else these are bytes that do not belong.
      guard first.hasMagic else { throw .notAnArchive }
      throw first.fieldBytes.map(UInt64.init) == layout.fieldBytes
        ? .overLimit(.headerLength) : .damaged(.structure)
    }
    return layout
  }

  /// The first trailer behind a first header that is whole, wherever its own counts say that it is.
  ///
  /// Only the end magic is looked at on the way: one small read for each possible number of chunks.
  private func searchTrailer(fieldBytes: UInt64) throws(ArchiveError) -> (Trailer, Layout)? {
    let start = fieldBytes + 48
    guard size >= start + UInt64(Trailer.byteCount) else { return nil }
    let most = (size - start - UInt64(Trailer.byteCount)) / UInt64(Limits.chunkBytes)
    let fixed = 2 * start + 2 * UInt64(Trailer.byteCount)
    let perChunk = UInt64(Limits.chunkBytes + Layout.leafBytes)
    let expected = size >= fixed ? (size - fixed) / perChunk : 0
    if expected <= most, let found = try trailer(fieldBytes: fieldBytes, chunkCount: expected) {
      return found
    }
    var count = most
    while true {
      if let found = try trailer(fieldBytes: fieldBytes, chunkCount: count) { return found }
      guard count > 0 else { return nil }
      count -= 1
    }
  }

  private func trailer(fieldBytes: UInt64, chunkCount: UInt64) throws(ArchiveError) -> (Trailer, Layout)? {
    let offset = fieldBytes + 48 + chunkCount * UInt64(Limits.chunkBytes)
    let end = try file.read(Trailer.endMagic.count, at: offset + UInt64(Trailer.byteCount - Trailer.endMagic.count))
    guard end == Trailer.endMagic,
      let trailer = Trailer(whole: try file.read(Trailer.byteCount, at: offset)),
      let layout = Layout(fieldBytes: fieldBytes, chunkCounts: trailer.chunkCounts),
      layout.chunkCount == chunkCount
    else { return nil }
    return (trailer, layout)
  }

  private func endsInMagic() throws(ArchiveError) -> Bool {
    guard size >= UInt64(Trailer.endMagic.count) else { return false }
    return try file.read(Trailer.endMagic.count, at: size - UInt64(Trailer.endMagic.count)) == Trailer.endMagic
  }

  private mutating func compareTrailers(_ trailer: Trailer, _ layout: Layout) throws(ArchiveError) {
    if try file.read(Trailer.byteCount, at: layout.firstTrailerOffset) != trailer.bytes {
      damage.append(.firstTrailer)
    }
    if layout.length < size,
      try file.read(Trailer.byteCount, at: layout.trailerCopyOffset) != trailer.bytes {
      damage.append(.trailerCopy)
    }
  }

  // MARK: the header that serves

  private mutating func servingHeader(
    _ first: FirstHeader, trailer: Trailer, layout: Layout
  ) throws(ArchiveError) -> [UInt8] {
    let copy = try file.read(Int(layout.headerBytes), at: layout.headerCopyOffset)
    let firstBytes = try file.read(Int(layout.headerBytes), at: 0)
    let copyServes = Self.serves(copy, trailer, layout)
    if Self.serves(firstBytes, trailer, layout) {
      if copy != firstBytes { damage.append(.headerCopy) }
      return firstBytes
    }
    guard copyServes else {
      guard first.hasMagic || copy.starts(with: Layout.magic) else { throw .notAnArchive }
      throw .damaged(.structure)
    }
    damage.append(.firstHeader)
    return copy
  }

  private static func serves(_ bytes: [UInt8], _ trailer: Trailer, _ layout: Layout) -> Bool {
    guard bytes.count == Int(layout.headerBytes), bytes.starts(with: Layout.magic), isWhole(bytes),
      Array(bytes.suffix(32)) == trailer.headerDigest.bytes
    else { return false }
    return UInt64(versionAndLength(bytes).length) == layout.fieldBytes
  }
}
