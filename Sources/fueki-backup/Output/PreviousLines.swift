internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

/// `restore --discard-previous`: what restores have replaced, and kept until now.
enum PreviousLines {
  /// Lists every directory that a restore kept, and removes them.
  ///
  /// It removes them only if the wallet that replaced them is intact. Until then one of them may be the better copy.
  static func discard(besideDataDirectory directory: String, dryRun: Bool, _ console: Console) throws {
    let lock = try Places.state().lock(
      purpose: "restore --discard-previous", processID: CurrentProcess.identifier)
    defer { withExtendedLifetime(lock) {} }
    let found = try PreviousDirectory.all(besideDataDirectory: directory)
    for one in found { console.line("\(one.path)  \(Readable.bytes(one.bytes))") }
    if !found.isEmpty { try PreviousDirectory.requireSound(dataDirectory: directory, inPlaceOf: found) }
    if !dryRun { for one in found { try one.remove() } }
    guard !console.isJSON else { return Document.write(DiscardedDocument(found, dryRun: dryRun)) }
    switch (found.count, dryRun) {
    case (0, _): console.report("no restore has kept anything next to \(directory)")
    case (let count, true): console.report("nothing was removed (--dry-run): \(count) would go")
    case (let count, false): console.report("removed \(count)")
    }
  }
}

/// `restore --discard-previous --json`.
struct DiscardedDocument: Encodable {
  struct Previous: Encodable {
    let path: String
    let bytes: UInt64
  }

  let schema = "fueki.restore/1"
  let discarded: [Previous]
  let dryRun: Bool

  init(_ found: [PreviousDirectory], dryRun: Bool) {
    discarded = found.map { Previous(path: $0.path, bytes: $0.bytes) }
    self.dryRun = dryRun
  }
}
