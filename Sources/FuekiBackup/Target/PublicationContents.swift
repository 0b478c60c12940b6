internal import FuekiArchive

/// The contents of an archive to publish: collected records, or those of an archive to re-encrypt.
protocol PublicationContents {
  /// The facts to remember, complete once the contents are written; nil if nothing was collected.
  var facts: CollectedFacts? { get }

  /// Writes the contents, and the part of the history that the pass selects.
  func write(
    to file: ArchiveFile, draft: ArchiveDraft, passing pass: inout HistoryPass?,
    progress: (BackupProgress) throws -> Void
  ) throws -> WrittenArchive
}
