/// A thing of worth that an earlier archive has whole, and the newest has not.
public struct Absence: Codable, Hashable, Sendable {
  /// What is in the place of a file that is gone.
  package enum Replacement: String, Codable, Sendable {
    /// A wallet with another key.
    case key
    /// A file of another machine, with other contents.
    case contents
  }

  /// The thing.
  public internal(set) var holding: Holding
  /// The newest archive that has it whole.
  public let last: VaultState.Link
  /// Whether a run requested it and did not find it; false if its section was merely not requested since.
  public var isLoss: Bool
  /// Whether the owner accepted the loss.
  public var isAccepted: Bool
  /// What is in the place of the file; nil if nothing is, and for other things.
  package private(set) var replaced: Replacement?
  /// True if only a later archive's manifest tells of it, which has a file's name and neither its key nor its bytes.
  var isHearsay: Bool?
  /// True once the machine that has the thing gave it up; nil for this machine's things.
  var isReleased: Bool?

  /// The absence of a thing.
  package init(
    holding: Holding, last: VaultState.Link, isLoss: Bool, isAccepted: Bool, replaced: Replacement? = nil
  ) {
    (self.holding, self.last, self.isLoss, self.isAccepted) = (holding, last, isLoss, isAccepted)
    self.replaced = replaced
  }

  /// The absence in an archive that has these things whole; nil if it has the thing.
  ///
  /// A file in its place is a newer version if the same machine has both. Another machine has its own file there, and
  /// only the same bytes or the same key make it the same.
  func compared(with present: HoldingIndex) -> Absence? {
    guard let now = present[holding] else { return self }
    if now.hasTwin ?? false { return nil }
    var absence = self
    switch holding.likeness(to: now) {
    case .same: return nil
    case .otherKey: absence.replaced = replaced ?? .key
    case .unknown where replaced == nil && isHearsay == nil: return nil
    case .other, .unknown:
      guard replaced == .key || holding.maker != now.maker else { return nil }
      absence.replaced = replaced ?? .contents
    }
    return absence
  }

  /// Whether a later archive is known to have what this one tells of: the same thing, or a newer version of the file.
  func isCovered(by other: Absence) -> Bool {
    guard holding.key == other.holding.key else { return false }
    let isOfOne = holding.kind != .file || holding.maker == other.holding.maker
    return last == other.last || isOfOne && last.sequence < other.last.sequence
  }

  /// The same as a manifest states, with what this machine knew of the thing.
  ///
  /// - Parameters:
  ///   - before: what it knew of the vault.
  ///   - maker: the machine that states it; nil for this one.
  /// - Returns: the absence.
  func described(by before: Inventory?, statedBy maker: String?) -> Absence {
    let key = holding.key
    var (absence, known) = (self, before?.absent.first { $0.holding.key == key && $0.last == last })
    if let before, before.archive == last, let own = before.present.first(where: { $0.key == key }) {
      known = Absence(holding: own, last: last, isLoss: true, isAccepted: false)
    }
    if let known { (absence.holding, absence.isHearsay) = (known.holding, known.isHearsay) }
    // What an owner gave up on another machine is not given up here, if this machine has or had it.
    let isGivenUp = isAccepted && (absence.holding.maker != nil || maker == nil)
    let isOfTeller = isAccepted && maker != nil && absence.holding.maker == maker
    absence.isReleased = known?.isReleased ?? (isOfTeller ? true : nil)
    absence.isAccepted = known?.isAccepted ?? false || isGivenUp
    return absence
  }
}
