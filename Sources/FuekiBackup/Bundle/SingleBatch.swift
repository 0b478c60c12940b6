internal import FuekiArchive
internal import FuekiSystem

/// Records that are in memory already, handed out once.
final class SingleBatch: Sendable {
  private let batch: Locked<RecordBatch?>

  init(_ batch: RecordBatch) { self.batch = Locked(batch) }

  func take() -> BatchJob? {
    batch.withLock { held in
      guard let batch = held else { return nil }
      held = nil
      return { batch }
    }
  }
}
