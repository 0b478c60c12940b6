internal import FuekiSystem

/// Decides which files may be restored to a home directory.
///
/// An archive can come from the thief of a signing key, and many files in a home are executed or obeyed. Known places
/// of this kind are closed to every file. Other program directories accept wallets only.
struct HomeGate {
  private let answers: @Sendable ([[UInt8]], PlacedContent) -> HomeAnswer
  private let isNamed: Bool
  private let home = StartupPlaces.home

  init(_ request: PlacingRequest) {
    answers = request.homeAnswers
    isNamed = if case .folder = request.root { true } else { false }
  }

  /// The gate of files that go to their old places.
  init(homeAnswers: @escaping @Sendable ([[UInt8]], PlacedContent) -> HomeAnswer) {
    (answers, isNamed) = (homeAnswers, false)
  }

  /// A gate's decision about a file.
  enum Decision: Equatable {
    /// It goes, under conditions if there are any.
    case goes(HomeClaim?)
    /// It does not.
    case waits(WaitReason)
  }

  /// Whether a file may go to a place.
  ///
  /// - Parameters:
  ///   - names: the folders' names and the file's, below a folder.
  ///   - folder: from the root, without links.
  ///   - content: the kind of the file's content.
  /// - Returns: the decision, with folders counted below the folder.
  func decision(
    on names: [[UInt8]], below folder: String, of content: PlacedContent
  ) -> Decision {
    guard !StartupPlaces.isBelowHome(folder, names) else { return .waits(.startup) }
    guard let home, let place = StartupPlaces.below(home, StartupPlaces.path(folder, names)) else {
      return .goes(nil)
    }
    // In a folder of the user's choice, which no program reads, files are only kept.
    let named = place.dropLast(names.count)
    if isNamed, !named.isEmpty, named.allSatisfy({ $0.first != UInt8(ascii: ".") }) { return .goes(nil) }
    return switch answers(place, content) {
    case .open: .goes(nil)
    case .newFolder: .goes(HomeClaim(folder: names.count - 1, isOwn: false))
    case .own(let count): .goes(HomeClaim(folder: max(0, count - named.count), isOwn: true))
    case .closed: .waits(.notWallets)
    }
  }
}
