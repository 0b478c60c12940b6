import FuekiArchive
import FuekiCrypto
import Testing

extension UnlockedArchive {
  /// Reads every section.
  func readAll() throws {
    _ = try manifest()
    for section in sections {
      _ = try readRecords(of: section.id) { _ in
      } body: { _ in
      }
    }
  }

  /// Compares the salvaged parts of an archive with a vector.
  func compare(with expected: VectorFile.Salvaged, _ reason: Comment) throws {
    #expect(((self as? SalvagedArchive)?.source.provesChunks ?? true) == expected.proven, reason)
    #expect(lostScopes.map(\.name) == expected.lostScopes, reason)
    #expect(ownSections.map(\.id) == expected.sections.map(\.id), reason)
    for section in expected.sections {
      var digest = SHA256()
      let loss = try readRecords(of: section.id) {
        $0.bytes
      } body: {
        digest.update($0)
      }
      #expect(digest.finalize().hex == section.sha256, reason)
      #expect(loss?.lostRecords ?? 0 == section.lost, reason)
      #expect(loss?.gaps.map(\.keptBefore) ?? [] == section.gaps.map(\.after), reason)
      #expect(
        loss?.gaps.map { [$0.bytes.lowerBound, $0.bytes.upperBound] } ?? [] == section.gaps.map(\.bytes),
        reason)
    }
  }
}
