public import FuekiSystem
public import FuekiWallet

/// The options for restoring files.
public struct PlacingRequest: Sendable {
  /// Below which folder.
  public var root: PlaceRoot
  /// The handling of existing files that differ.
  public var policy = PlacingPolicy.fail
  /// Whether to follow symbolic links to folders.
  public var followsLinks = false
  /// Whether to restore files while their programs run.
  public var ignoresRunning = false
  /// The answer about a folder whose file system keeps no permissions.
  public var unprotected = UnprotectedAnswer.refuse
  /// Whether nothing is written, not even to try out the file system.
  public var isPreview = false
  /// The sections whose files to restore.
  public var selection = SectionSelection.everything
  /// The places of the files to restore; nil for all.
  public var places: Set<[UInt8]>?
  /// Whether the archive is the user's.
  ///
  /// Another one's files go only into an empty folder of the user's choice.
  public var isMine: Bool
  /// The start time, as `20261121T063000Z`, which makes names unique.
  public var stamp: String
  /// The beginning of the run's temporary names: a stopped run's are removed only if its journal has the same.
  public var token = PlacingJournal.newToken()

  /// Returns whether a file may go to a place below the user's home directory, by the names of the folders and the
  /// file, and by its content.
  public var homeAnswers: @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer

  /// What is known about files that are no wallet's.
  public var own = OwnFiles()

  /// Returns why a file does harm where its program finds it; nil if it does none.
  public var holds: @Sendable (_ file: OriginalFile) -> HoldReason?

  /// Lists the paths that other programs have open; in a sandbox, another process does.
  public var openPaths: @Sendable () throws -> OpenPaths = { OpenPaths() }

  /// Returns the page to write next to a file whose name its program does not look for.
  public var page: @Sendable (_ reason: HoldReason, _ name: String) -> String

  /// Files back below a folder, never over another one.
  public init(
    root: PlaceRoot, isMine: Bool, stamp: String,
    homeAnswers: @escaping @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer,
    holds: @escaping @Sendable (_ file: OriginalFile) -> HoldReason?,
    page: @escaping @Sendable (_ reason: HoldReason, _ name: String) -> String
  ) {
    (self.root, self.isMine, self.stamp, self.page) = (root, isMine, stamp, page)
    (self.homeAnswers, self.holds) = (homeAnswers, holds)
  }
}

extension PlacingRequest {
  /// Returns whether a file is selected, by its section and its place.
  func wants(_ file: OriginalFile) -> Bool {
    guard selection.contains(file.section) else { return false }
    guard let places else { return true }
    return file.place.map(places.contains) ?? false
  }
}
