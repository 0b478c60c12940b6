internal import FuekiSystem

/// Original files of a bundle that `put-back` would leave in the archive on a machine like this one, or asks about.
public struct UnplacedFiles: Sendable, Equatable {
  /// Why.
  public let reason: WaitReason
  /// Their places, or their paths below a source, as text, in order.
  public let places: [String]
}

extension BackupBundle {
  /// The files that cannot go back into a home directory, by the reason.
  ///
  /// They are known once the bundle is written.
  ///
  /// - Parameters:
  ///   - home: the home directory.
  ///   - homeAnswers: whether a file may go to a place below it, by the names of the folders and of the file. The
  ///     contents are not read.
  /// - Returns: an element for each reason.
  public func unplacedFiles(
    home: String,
    homeAnswers: @escaping @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer
  ) -> [UnplacedFiles] {
    let gate = HomeGate(homeAnswers: homeAnswers)
    let folder = PlaceRoot.home(home).resolvedPath
    var places: [WaitReason: [[UInt8]]] = [:]
    for (place, path) in holdingCount.filePlaces {
      let reason: WaitReason? =
        switch PlaceRoot.homeDestination(place) {
        case .waits(let reason): reason
        case .at(let names): gate.decision(on: names, below: folder, of: .unread).reasonOnANewMachine
        }
      if let reason { places[reason, default: []].append(place ?? path) }
    }
    return WaitReason.allCases.compactMap { reason in
      places[reason].map {
        UnplacedFiles(
          reason: reason, places: $0.sorted { $0.lexicographicallyPrecedes($1) }.map(PathText.text))
      }
    }
  }
}

extension HomeGate.Decision {
  /// The reason for which a file stays in the archive on a machine that has the home and nothing in it.
  fileprivate var reasonOnANewMachine: WaitReason? {
    switch self {
    case .waits(let reason): reason
    case .goes(nil): nil
    case .goes(let claim?) where claim.folder == 0: .folderExists
    case .goes(let claim?): claim.isOwn ? .ownFiles : nil
    }
  }
}
