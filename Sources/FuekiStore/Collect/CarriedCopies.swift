internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Compares a store's copies of other programs' files with what lies in their places now.
///
/// A restored store carries such files into each archive. Their programs change the files in place, and a copy that no
/// source replaces grows stale unseen.
public struct CarriedCopies: Sendable {
  private static let home = Array("~/".utf8)

  private let home: String
  private let isDeclined: @Sendable (_ path: String) -> Bool

  /// - Parameters:
  ///   - home: the absolute path of the home that places begin with.
  ///   - isDeclined: whether the user does not want a file in the backup, by its path.
  public init(home: String, isDeclined: @escaping @Sendable (_ path: String) -> Bool) {
    (self.home, self.isDeclined) = (home, isDeclined)
  }

  /// How the file in a copy's place differs from the copy.
  enum Difference {
    case content
    /// It cannot be read, so that nobody knows.
    case unreadable
  }

  /// Compares a part of a copy.
  ///
  /// - Parameters:
  ///   - content: the part.
  ///   - offset: where it begins in the copy.
  ///   - total: the copy's length.
  ///   - place: the copy's place, with `~` for the home.
  /// - Returns: nil if the file has the same bytes there, if no file is in the place, and for a place elsewhere than below
  ///   the home.
  func difference(_ content: Span<UInt8>, at offset: UInt64, of total: UInt64, place: [UInt8]?) -> Difference?
  {
    guard let place, place.starts(with: Self.home) else { return nil }
    let path = "\(home)/\(PathText.text(Array(place.dropFirst(Self.home.count))))"
    guard !isDeclined(path) else { return nil }
    do {
      let file = try File.openRegular(path)
      guard try file.size() == total else { return .content }
      var bytes = try SecretBytes(count: content.count)
      let count = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try file.pread(into: &bytes, at: offset)
      }
      let isSame = count == content.count && bytes.withBytes { ConstantTime.areEqual($0, content) }
      return isSame ? nil : .content
    } catch let error as SystemError where error.isNotFound || error.isDirectory {
      return nil
    } catch {
      return .unreadable
    }
  }
}

/// The copies of a store that differ from the files in their places.
struct StaleCopies: Sendable {
  struct Copy: Sendable {
    let place: [UInt8]
    let difference: CarriedCopies.Difference
  }

  private var differing: [Copy] = []
  private var equal: Set<[UInt8]> = []

  /// The differing ones of places of which no other version equals the file.
  var all: [Copy] { differing.filter { !equal.contains($0.place) } }

  mutating func note(_ place: [UInt8], _ difference: CarriedCopies.Difference?) {
    if let difference {
      differing.append(Copy(place: place, difference: difference))
    } else {
      equal.insert(place)
    }
  }

  mutating func formUnion(_ others: StaleCopies) {
    differing += others.differing
    equal.formUnion(others.equal)
  }
}

extension SourceReport {
  /// Reports copies that stay in the archive although their files have changed.
  mutating func exclude(_ copies: StaleCopies) {
    for copy in copies.all {
      let reason =
        switch copy.difference {
        case .content:
          "the file has changed since it came out of an archive, and no source takes it: the archive has the older copy. discover --add takes the file, discover --decline leaves it as it is"
        case .unreadable:
          "the file cannot be read, so that it may have changed since it came out of an archive, and no source takes it. discover --decline leaves it as it is"
        }
      exclude(PathText.text(copy.place), reason: reason, byRequest: false)
    }
  }
}
