public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Where a differential archive's base may lie: beside the archive, and in targets.
public struct BaseFinder: Sendable {
  private let folders: [Target]

  /// - Parameters:
  ///   - archive: the archive's path, or `rclone:remote:path`.
  ///   - targets: where else to look.
  public init(beside archive: String, targets: [Target] = []) {
    let own = Target(holding: archive)
    folders = [own] + targets.filter { $0.path != own.path }
  }

  /// The files that may be the base, in the order of the folders; which one is, its digest tells.
  ///
  /// A folder that cannot be listed has none: somewhere else the base may be all the same.
  public func candidates(_ reference: BaseReference) -> [ArchiveFile] {
    folders.flatMap { entries(of: $0, reference) }
  }

  /// Whether a file with the base's digest is at hand, none of whose bytes was compared with it.
  public func isAtHand(_ reference: BaseReference) -> Bool {
    candidates(reference).contains { $0.isNamed(reference.digest) }
  }

  /// The base, where a file with its digest is at hand whose header can be read; its bytes are not compared with it.
  public func structure(of reference: BaseReference) -> StoredArchive? {
    candidates(reference).lazy.filter { $0.isNamed(reference.digest) }
      .compactMap { try? StoredArchive(reading: $0) }.first
  }

  private func entries(of folder: Target, _ reference: BaseReference) -> [ArchiveFile] {
    let entries = (try? folder.entries()) ?? []
    // What is damaged or on its way may be it, too, as far as its end is there.
    return entries.filter { entry in
      entry.state != .notDownloaded && entry.archive.map { $0.computedDigest == reference.digest } ?? true
    }.compactMap { try? ArchiveFile.open(at: $0.path, symbolicLinks: .refuse) }
  }
}
