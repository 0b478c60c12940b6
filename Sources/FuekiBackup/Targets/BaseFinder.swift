public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The places to search for a differential archive's base: next to the archive, and in targets.
public struct BaseFinder: Sendable {
  private let folders: [Target]
  private let listings: TargetListings

  /// - Parameters:
  ///   - archive: the archive's path, or `rclone:remote:path`.
  ///   - targets: where else to look.
  public init(beside archive: String, targets: [Target] = []) {
    self.init(beside: archive, targets: targets, listings: nil)
  }

  /// - Parameters:
  ///   - archive: the archive's path, or `rclone:remote:path`.
  ///   - targets: where else to look.
  ///   - listings: the listings of targets, which other archives share; nil for none.
  init(beside archive: String, targets: [Target], listings: TargetListings?) {
    let own = Target(holding: archive)
    folders = [own] + targets.filter { $0.place != own.place }
    self.listings = listings ?? TargetListings()
  }

  /// Returns the files that may be the base, in the order of the folders.
  ///
  /// Only the digest identifies it.
  ///
  /// A folder that cannot be listed has none, because the base may still be elsewhere.
  public func candidates(_ reference: BaseReference) -> [ArchiveFile] {
    folders.flatMap { entries(of: $0, reference) }
  }

  /// Whether a file with the base's digest is at hand, none of whose bytes was compared with it.
  ///
  /// A copy with other seals than those that were signed is not: no key opens it.
  public func isAtHand(_ reference: BaseReference) -> Bool {
    folders.contains { folder in
      listings.entries(of: folder).contains { entry in
        entry.archive.map { $0.computedDigest == reference.digest && !$0.hasOtherSealsThanSigned } ?? false
      }
    } || named(reference).contains { _ in true }
  }

  /// The files with the base's digest, without those whose seals were replaced.
  private func named(_ reference: BaseReference) -> some Sequence<ArchiveFile> {
    candidates(reference).lazy.filter { file in
      guard file.isNamed(reference.digest) else { return false }
      return (try? StoredArchive(reading: file))?.hasOtherSealsThanSigned != true
    }
  }

  /// Returns the base if a file states its digest and has a readable header, without comparing its bytes.
  public func structure(of reference: BaseReference) -> StoredArchive? {
    named(reference).compactMap { try? StoredArchive(reading: $0) }.first { _ in true }
  }

  private func entries(of folder: Target, _ reference: BaseReference) -> [ArchiveFile] {
    // Damaged or incomplete files may be the base, too, as far as their end is present.
    listings.entries(of: folder).filter { entry in
      entry.state != .notDownloaded && entry.state != .removed
        && entry.archive.map { $0.computedDigest == reference.digest } ?? true
    }.compactMap { try? ArchiveFile.open(at: $0.path, symbolicLinks: .refuse) }
  }
}
