internal import FuekiBackup
internal import FuekiWallet

/// A restore's stages, for display.
enum StageLines {
  static func show(_ event: RestoreProgress, _ line: ProgressLine, _ console: Console) throws {
    switch event {
    case .began(let stage): try line.show(stage.rawValue)
    case .reading(let bytes, let all):
      try line.show("verify", ProgressAmount(done: bytes, all: all, unit: .bytes))
    case .restoring(let section, let records, let all):
      try line.show(section.name, ProgressAmount(done: records, all: all, unit: .records))
    case .ended(let result):
      line.clear()
      // A stage that ended well, with nothing else to tell, is a detail, and so is how long it took.
      guard console.isVerbose || !result.result.isUneventful || !result.counts.isEmpty else { return }
      let counts = result.counts.sorted { $0.key < $1.key }.map { Readable.records($0.value, of: $0.key) }
      let detail = counts.isEmpty ? "" : ": \(counts.joined(separator: ", "))"
      let time = console.isVerbose ? " (\(Readable.seconds(result.seconds)))" : ""
      console.report("\(result.stage.rawValue): \(result.result.sentence)\(time)\(detail)")
    }
  }
}
