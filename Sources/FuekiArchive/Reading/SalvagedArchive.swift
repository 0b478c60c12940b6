/// The salvaged parts of a damaged archive: every block with intact chunks, and the locations of the others.
///
/// Only ``DamagedArchive/salvage(with:allowance:plaintextLimit:)`` creates one.
public struct SalvagedArchive: UnlockedArchive {
  /// The archive before it was opened.
  public let source: DamagedArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams
  /// The origin of its history.
  public let history: SalvagedHistory

  init(source: DamagedArchive, streams: UnlockedStreams, history: SalvagedHistory) {
    self.source = source
    self.streams = streams
    self.history = history
  }
}
