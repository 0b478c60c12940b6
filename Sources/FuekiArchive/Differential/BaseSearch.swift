public import FuekiCrypto

/// Finds a differential archive's base among files.
enum BaseSearch {
  /// The base, of which every byte was read.
  struct Found {
    let archive: StoredArchive
    let report: ChecksumReport
  }

  /// The first of the files with the base's digest that is whole, or else the first of them.
  ///
  /// - Returns: nil where no file has the digest.
  /// - Throws: ``ArchiveError/inBase(_:_:)`` where the first of them is not even a structure, or its signature does not
  ///   hold, and none is whole; what `progress` throws.
  static func find(
    _ reference: BaseReference, among files: [ArchiveFile], progress: (UInt64, UInt64) throws -> Void
  ) throws -> Found? {
    var first: Result<Found, any Error>?
    for file in files where file.computedDigest == reference.digest {
      let found = Result { try read(file, reference, progress: progress) }
      if let whole = try? found.get(), whole.report.intact != nil { return whole }
      if case .failure(let error) = found, !(error is ArchiveError) { throw error }
      first = first ?? found
    }
    return try first?.get()
  }

  private static func read(
    _ file: ArchiveFile, _ reference: BaseReference, progress: (UInt64, UInt64) throws -> Void
  ) throws -> Found {
    do {
      let archive = try StoredArchive(reading: file)
      // Nobody is asked for: the archive's header names this very digest.
      return Found(
        archive: archive,
        report: try archive.verify { bytes in
          try progress(bytes, archive.byteCount)
        })
    } catch let error as ArchiveError { throw error.ofBase(reference) }
  }
}

extension ArchiveFile {
  /// Whether this is the digest that the trailer's first bytes give.
  public func isNamed(_ digest: Digest) -> Bool { computedDigest == digest }

  /// The digest that the trailer's first bytes give, where a trailer and a header serve: what it states itself, like
  /// the file's name, proves nothing.
  var computedDigest: Digest? {
    guard let reader = try? StructureReader(file: self, search: .nearTheEnd),
      let located = try? reader.locate()
    else { return nil }
    return located.trailer.computedDigest
  }
}
