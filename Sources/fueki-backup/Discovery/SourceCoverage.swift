internal import FuekiCollectors
internal import FuekiSystem

/// Which wallets the sources of a backup take.
struct SourceCoverage: Sendable {
  private struct Source: Sendable {
    let name: String
    let kind: String
    /// Without links, as the walk goes.
    let path: [UInt8]
    let reach: SourceReach
  }

  private var sources: [Source] = []

  /// - Parameter names: sources as `--from` has them, with whole paths.
  init(_ names: [String]) {
    for name in names {
      guard let path = SourceName.path(name) else { continue }
      let kind = SourceName.kind(name)
      let reach = (try? CollectorKind(named: kind))?.reach ?? .tree
      sources.append(
        Source(
          name: name, kind: kind, path: CurrentProcess.absolutePath(of: path).pathBytes, reach: reach))
    }
  }

  /// Returns the discovered wallets that no source covers.
  func uncovered(_ found: FoundWallets) -> [String] { found.wallets.filter { !covers($0, of: found) } }

  /// Returns the discovered wallets that are kept out of every backup.
  func declined(_ found: FoundWallets) -> [String] { found.wallets.filter { declines($0) } }

  /// The sources that take none of the wallets that were found, as `--from` has them: files of no known program.
  func others(than found: DiscoveredWallets) -> [String] {
    sources.filter { source in
      source.kind != SourceSettings.nothing
        && !found.places.contains { place in place.wallets.contains { Self.covers(source, $0, of: place) } }
    }.map(\.name)
  }

  /// Whether a source takes what a restore put in a place, or part of it.
  func covers(restored path: String, of kind: String) -> Bool {
    let path = CurrentProcess.absolutePath(of: path).pathBytes
    return sources.contains { source in
      guard ["file", SourceSettings.nothing, kind].contains(source.kind) else { return false }
      return path == source.path || source.reach.covers(path, below: source.path)
        || source.kind == kind && source.path.starts(with: path + [UInt8(ascii: "/")])
    }
  }

  /// Whether a path is one that a `[[source]]` keeps out of every backup.
  func declines(_ path: String) -> Bool {
    let path = CurrentProcess.absolutePath(of: path).pathBytes
    return sources.contains { source in
      source.kind == SourceSettings.nothing
        && (path == source.path || source.reach.covers(path, below: source.path))
    }
  }

  private func covers(_ wallet: String, of found: FoundWallets) -> Bool {
    sources.contains { Self.covers($0, wallet, of: found) }
  }

  private static func covers(_ source: Source, _ wallet: String, of found: FoundWallets) -> Bool {
    let path = CurrentProcess.absolutePath(of: wallet).pathBytes
    return path == source.path
      || source.reach.covers(path, below: source.path) && takes(source.kind, wallet, of: found)
  }

  /// Returns whether a kind of source covers a wallet in a folder.
  ///
  /// Other kinds skip it.
  private static func takes(_ kind: String, _ wallet: String, of found: FoundWallets) -> Bool {
    ["file", SourceSettings.nothing, found.kind, found.program].contains(kind)
      || (try? CollectorKind.recognised(at: wallet))?.name == kind
  }
}

extension DiscoveredWallets {
  /// All that was found, as `--from` names it.
  var sourceNames: [String] {
    places.flatMap { found in
      (found.kind == "file" ? found.wallets : [found.path]).map { "\(found.kind):\($0)" }
    }
  }
}
