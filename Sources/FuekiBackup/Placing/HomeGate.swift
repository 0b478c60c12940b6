internal import FuekiSystem

/// Decides which files may be restored to a home directory.
///
/// An archive can come from the thief of a signing key, and many files in a home are executed or obeyed. Known places
/// of this kind are closed to every file. Other program directories accept wallets only.
struct HomeGate {
  private let allows: @Sendable ([[UInt8]], PlacedContent) -> Bool
  private let isNamed: Bool
  private let home = StartupPlaces.home

  init(_ request: PlacingRequest) {
    allows = request.homeAllows
    isNamed = if case .folder = request.root { true } else { false }
  }

  /// The gate of files that go to their old places.
  init(homeAllows: @escaping @Sendable ([[UInt8]], PlacedContent) -> Bool) {
    (allows, isNamed) = (homeAllows, false)
  }

  /// Why a file may not go to a place.
  ///
  /// - Parameters:
  ///   - names: the folders' names and the file's, below a folder.
  ///   - folder: from the root, without links.
  ///   - content: the kind of the file's content.
  /// - Returns: nil if it may.
  func reason(
    against names: [[UInt8]], below folder: String, of content: PlacedContent
  ) -> WaitReason? {
    guard !StartupPlaces.isBelowHome(folder, names) else { return .startup }
    guard let home, let place = StartupPlaces.below(home, StartupPlaces.path(folder, names)) else {
      return nil
    }
    // In a folder of the user's choice, which no program reads, files are only kept.
    let named = place.dropLast(names.count)
    if isNamed, !named.isEmpty, named.allSatisfy({ $0.first != UInt8(ascii: ".") }) { return nil }
    return allows(place, content) ? nil : .notWallets
  }
}
