internal import FuekiBackup
internal import FuekiWallet

/// A source of the wallet in use, collected for a comparison with an archive.
///
/// A source that fails is named in a warning, and its records count as removed: the comparison of the others goes on.
struct ComparedSource: Collector {
  let source: any Collector
  let console: Console

  var name: String { source.name }
  var isStore: Bool { source.isStore }

  func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    var own = bundle
    do {
      try source.collect(request, into: &own)
      bundle = own
    } catch {
      guard let reason = SourceErrors.reason(error) else { throw error }
      console.warning("\(name) cannot be read, and counts as removed: \(reason)")
      bundle.report(.failed(name, reason))
    }
  }
}
