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

  package init(slot: Int, threshold: Int, members: [Int], problems: [Problem]) {
    self.slot = slot
    self.threshold = threshold
    self.members = members
    self.problems = problems
  }

  /// A share of no use.
  public struct Problem: Hashable, Sendable {
    /// Its place among the shares that were given, from 1.
    public let place: Int
    /// What is wrong with it.
    public let fault: Fault

    package init(place: Int, fault: Fault) {
      self.place = place
      self.fault = fault
    }
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
  /// The members, from 1, whose shares carry the slot's tags, of whatever set they are.
  private let tagged: Set<Int>
  private let shortfall: GuardianShortfall
  private let place: SlotPlace

  init(_ given: [SharedSecret], for guardians: SlotSummary.Guardians, _ place: SlotPlace) {
    var good: [Int: SLIP39Share] = [:]
    var tagged: Set<Int> = []
    var problems: [GuardianShortfall.Problem] = []
    for (index, words) in given.enumerated() {
      func note(_ fault: GuardianShortfall.Fault) {
        problems.append(.init(place: index + 1, fault: fault))
      }
      switch Self.share(in: words) {
      case .failure(let error): note(.notAShare(error))
      case .success(let share):
        let member = share.memberIndex + 1
        let carriesTag =
          guardians.shareTags.indices.contains(share.memberIndex)
          && Self.tag(of: share, place) == guardians.shareTags[share.memberIndex]
        if carriesTag { tagged.insert(member) }
        if !carriesTag || share.identifier != guardians.identifier {
          note(.foreign)
        } else if good[member] != nil {
          note(.doubled(member: member))
        } else {
          good[member] = share
        }
      }
    }
    self.good = good
    self.tagged = tagged
    self.place = place
    shortfall = GuardianShortfall(
      slot: place.number, threshold: guardians.threshold, members: good.keys.sorted(), problems: problems)
  }

  /// The private key that was split.
  ///
  /// - Throws: ``ArchiveError/tooFewShares(_:)``; ``ArchiveError/forged(_:)`` where enough shares carry the slot's
  ///   tags, and they are of several sets or do not combine: the slot says that they are its shares.
  func combined() throws(ArchiveError) -> SharedSecret {
    let threshold = shortfall.threshold
    let forged = ArchiveError.forged(.slot(place.number))
    guard shortfall.missing == 0 else {
      throw tagged.count < threshold ? .tooFewShares(shortfall) : forged
    }
    let chosen = good.keys.sorted().prefix(threshold).compactMap { good[$0] }
    guard chosen.allSatisfy({ $0.isOfGuardians(threshold: threshold) }) else { throw forged }
    do {
      let empty = try SecretBytes(count: 0)
      return SharedSecret(try SLIP39.combine(chosen, passphrase: empty))
    } catch {
      throw forged
    }
  }

  /// A share of the kind that guardians hold; an extendable one has a checksum over other bytes.
  private static func share(in words: SharedSecret) -> Result<SLIP39Share, SLIP39Error> {
    do {
      let share = try SLIP39Share(words: words.bytes)
      return share.isExtendable ? .failure(.parameters) : .success(share)
    } catch { return .failure(error) }
  }

  private static func tag(of share: SLIP39Share, _ place: SlotPlace) -> [UInt8]? {
    guard let canonical = try? share.words() else { return nil }
    return GuardianSet.shareTag(of: canonical.bytes, vaultID: place.vaultID)
  }
}

extension SLIP39Share {
  /// Whether the share's own numbers are those of a key that was split among guardians.
  fileprivate func isOfGuardians(threshold: Int) -> Bool {
    memberThreshold == threshold && groupIndex == 0 && groupThreshold == 1 && groupCount == 1
      && iterationExponent == 1 && value.bytes.count == X25519.byteCount
  }
}
