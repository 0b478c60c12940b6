internal import FuekiCrypto

/// Finds a usable header and trailer: step 1 of fueki-archive(5), by its sections LAYOUT and NEWER VERSIONS.
struct StructureReader {
  let file: ArchiveFile
  let size: UInt64
  private let search: TrailerSearch

  init(file: ArchiveFile, search: TrailerSearch) throws(ArchiveError) {
    self.file = file
    self.search = search
    do {
      size = try file.byteCount()
    } catch { throw .unreadable(error) }
  }

  /// The usable parts, and damage to the others.
  struct Located {
    /// Bytes 0..<48+L of the header in use.
    let header: [UInt8]
    let trailer: Trailer
    let layout: Layout
    let damage: [ArchiveError.Damage]
  }

  /// Locates the parts.
  ///
  /// Damage to one copy is returned; damage to both is thrown.
  func locate() throws(ArchiveError) -> Located {
    let first = try FirstHeader(file: file, size: size)
    if first.whole != nil, first.major > Layout.major { throw .tooNew(.major(first.major)) }
    guard size <= Limits.archiveBytes.upperBound else { throw .overLimit(.archiveLength) }
    let found = try findTrailer(first)
    guard let found, let layout = found.layout, let header = try servingHeader(found, layout) else {
      throw try reasonThatNoneServes(first, found)
    }
    return Located(
      header: header, trailer: found.trailer, layout: layout,
      damage: try damage(header: header, trailer: found.trailer, layout: layout))
  }

  // MARK: the trailer

  /// An intact trailer and, if its counts fit the file's length, the resulting layout.
  struct FoundTrailer {
    let trailer: Trailer
    let isAtEnd: Bool
    let layout: Layout?
  }

  private func findTrailer(_ first: FirstHeader) throws(ArchiveError) -> FoundTrailer? {
    let length = UInt64(Trailer.byteCount)
    if size >= length, let last = Trailer(whole: try file.read(Trailer.byteCount, at: size - length)) {
      return FoundTrailer(
        trailer: last, isAtEnd: true, layout: Layout(filling: size, chunkCounts: last.chunkCounts))
    }
    guard first.whole != nil else { return nil }
    return try TrailerPlaces(of: file, size: size, fieldBytes: first.fieldBytes)?.find(search)
  }

  // MARK: the header that serves

  /// Returns the first header, or its copy, which can be located only if a trailer at the file's end yields
  /// L.
  private func servingHeader(_ found: FoundTrailer, _ layout: Layout) throws(ArchiveError) -> [UInt8]? {
    guard layout.fieldBytes <= UInt64(Limits.headerFieldBytes.upperBound) else { return nil }
    for offset in found.isAtEnd ? [0, layout.headerCopyOffset] : [0] {
      let bytes = try file.read(Int(layout.headerBytes), at: offset)
      if bytes.starts(with: Layout.magic), FirstHeader.isWhole(bytes),
        Array(bytes.suffix(32)) == found.trailer.headerDigest.bytes
      {
        return bytes
      }
    }
    return nil
  }

  private func reasonThatNoneServes(
    _ first: FirstHeader, _ found: FoundTrailer?
  ) throws(ArchiveError) -> ArchiveError {
    let most = UInt64(Limits.headerFieldBytes.upperBound)
    var hasMagic = first.hasMagic
    var isTooLong = first.hasMagic && first.major > Layout.major && first.fieldBytes > most
    if let found, found.isAtEnd, let layout = found.layout {
      let copy = try file.read(Layout.prefixBytes, at: layout.headerCopyOffset)
      let copyHasMagic = copy.starts(with: Layout.magic)
      hasMagic = hasMagic || copyHasMagic
      // It is a limit only if a header also states it. Otherwise these are misplaced bytes.
      let stated = [
        first.hasMagic ? first.fieldBytes : nil,
        copyHasMagic ? FirstHeader.versionAndLength(copy)?.fieldBytes : nil,
      ]
      isTooLong = isTooLong || layout.fieldBytes > most && stated.contains(layout.fieldBytes)
    }
    guard !isTooLong else { return .overLimit(.headerLength) }
    guard hasMagic else { return .notAnArchive }
    if first.whole != nil || first.isCutOff, try isEndMissing(first, found) { return .incomplete }
    // A copy that broke off after space was set aside for all of it.
    return try file.hasZeroEdge(at: 0, count: size) ? .incomplete : .damaged(.structure)
  }

  private func isEndMissing(_ first: FirstHeader, _ found: FoundTrailer?) throws(ArchiveError) -> Bool {
    guard let found else { return try !endsInMagic() }
    let announced = Layout.length(fieldBytes: first.fieldBytes, chunkCounts: found.trailer.chunkCounts)
    return announced.map { $0 > size } ?? true
  }

  private func endsInMagic() throws(ArchiveError) -> Bool {
    guard size >= UInt64(Trailer.endMagic.count) else { return false }
    return try file.read(Trailer.endMagic.count, at: size - UInt64(Trailer.endMagic.count))
      == Trailer.endMagic
  }

  // MARK: the parts that do not serve

  private func damage(
    header: [UInt8], trailer: Trailer, layout: Layout
  ) throws(ArchiveError) -> [ArchiveError.Damage] {
    let places: [(UInt64, [UInt8], ArchiveError.Damage)] = [
      (0, header, .firstHeader), (layout.headerCopyOffset, header, .headerCopy),
      (layout.firstTrailerOffset, trailer.bytes, .firstTrailer),
      (layout.trailerCopyOffset, trailer.bytes, .trailerCopy),
    ]
    var damage: [ArchiveError.Damage] = []
    for (offset, whole, name) in places where try file.read(whole.count, at: offset) != whole {
      damage.append(name)
    }
    if layout.length < size { damage.append(.trailingBytes(count: size - layout.length)) }
    if trailer.reserved.contains(where: { $0 != 0 }) { damage.append(.reservedBytes) }
    return damage
  }
}
