public import FuekiCrypto

/// Why a guardians slot stays closed: too few of its shares are at hand, or what is at hand is none of them.
public struct GuardianShortfall: Hashable, Sendable {
  /// The slot's number, from 1.
  public let slot: Int
  /// How many shares open it.
  public let threshold: Int
  /// The members, from 1, whose shares were given and are good.
  public let members: [Int]
  /// The shares that were given and are of no use, by their place in what was given.
  public let problems: [Problem]

  /// How many more shares are needed.
  public var missing: Int { max(0, threshold - members.count) }

  /// A share of no use.
  public struct Problem: Hashable, Sendable {
    /// Its place among the shares that were given, from 1.
    public let place: Int
    /// What is wrong with it.
    public let fault: Fault
  }

  /// What is wrong with a share.
  public enum Fault: Hashable, Sendable {
    /// Its words are no share: mistyped, left out, or in another order.
    case notAShare(SLIP39Error)
    /// It is a whole share, of other guardians or of another vault.
    case foreign
    /// Member `member`'s share was given before.
    case doubled(member: Int)
  }
}

/// The shares that a caller has, sorted into those that belong to a slot and those that do not.
struct GatheredShares {
  private let good: [Int: SLIP39Share]
  private let shortfall: GuardianShortfall
  private let place: SlotPlace

  init(_ given: [SharedSecret], for parameters: GuardianParameters, _ place: SlotPlace) {
    var good: [Int: SLIP39Share] = [:]
    var problems: [GuardianShortfall.Problem] = []
    for (index, words) in given.enumerated() {
      switch Self.sort(words, parameters, place) {
      case .failure(let fault): problems.append(.init(place: index + 1, fault: fault.fault))
      case .success(let share):
        let member = share.memberIndex + 1
        if good.updateValue(share, forKey: member) != nil {
          problems.append(.init(place: index + 1, fault: .doubled(member: member)))
        }
      }
    }
    self.good = good
    self.place = place
    shortfall = GuardianShortfall(
      slot: place.number, threshold: parameters.threshold, members: good.keys.sorted(), problems: problems)
  }

  /// The private key that was split.
  ///
  /// - Returns: or ``ArchiveError/tooFewShares(_:)``; or ``ArchiveError/forged(_:)`` where the shares' tags hold and
  ///   they do not combine.
  func combined() -> Result<SharedSecret, ArchiveError> {
    guard shortfall.missing == 0 else { return .failure(.tooFewShares(shortfall)) }
    let chosen = good.keys.sorted().prefix(shortfall.threshold).compactMap { good[$0] }
    do {
      let empty = try SecretBytes(count: 0)
      let key = try SLIP39.combine(chosen, passphrase: empty)
      guard key.count == X25519.byteCount else { return .failure(.forged(.slot(place.number))) }
      return .success(SharedSecret(key))
    } catch {
      return .failure(.forged(.slot(place.number)))
    }
  }

  private struct Unfit: Error {
    let fault: GuardianShortfall.Fault
  }

  private static func sort(
    _ words: SharedSecret, _ parameters: GuardianParameters, _ place: SlotPlace
  ) -> Result<SLIP39Share, Unfit> {
    do {
      let share = try SLIP39Share(words: words.bytes)
      guard share.identifier == parameters.identifier, share.memberIndex < parameters.shareTags.count,
        let canonical = try? share.words(),
        GuardianSet.shareTag(of: canonical.bytes, vaultID: place.vaultID)
          == parameters.shareTags[share.memberIndex]
      else { return .failure(Unfit(fault: .foreign)) }
      return .success(share)
    } catch { return .failure(Unfit(fault: .notAShare(error))) }
  }
}
