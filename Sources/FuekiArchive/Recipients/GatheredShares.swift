public import FuekiCrypto

/// Why a guardians slot stays locked: too few valid shares.
public struct GuardianShortfall: Hashable, Sendable {
  /// The slot's number, from 1.
  public let slot: Int
  /// The number of shares that open it.
  public let threshold: Int
  /// The members, from 1, whose shares were given and are valid.
  public let members: [Int]
  /// The given shares that are unusable, by their position.
  public let problems: [Problem]

  /// The number of shares still needed.
  public var missing: Int { max(0, threshold - members.count) }

  package init(slot: Int, threshold: Int, members: [Int], problems: [Problem]) {
    self.slot = slot
    self.threshold = threshold
    self.members = members
    self.problems = problems
  }

  /// An unusable share.
  public struct Problem: Hashable, Sendable {
    /// Its position among the given shares, from 1.
    public let place: Int
    /// Why it is unusable.
    public let fault: Fault

    package init(place: Int, fault: Fault) {
      self.place = place
      self.fault = fault
    }
  }

  /// Why a share is unusable.
  public enum Fault: Hashable, Sendable {
    /// Its words are not a share: mistyped, missing, or out of order.
    case notAShare(SLIP39Error)
    /// It is a valid share of other guardians or of another vault.
    case foreign
    /// The share of member `member` was already given.
    case doubled(member: Int)
  }
}

/// The given shares, sorted into those of a slot and the others.
struct GatheredShares {
  private let good: [Int: SLIP39Share]
  /// The members, from 1, whose shares have the slot's tags, whatever their set.
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

  /// Combines the shares to the private key that was split.
  ///
  /// - Throws: ``ArchiveError/tooFewShares(_:)``; ``ArchiveError/forged(_:)`` if enough shares have the
  ///   slot's tags but do not combine: the slot claims that they are its shares.
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

  /// Parses a guardian's share.
  ///
  /// Extendable shares are refused, because their checksum covers other bytes.
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
  /// Whether the share's parameters are those of a key split among guardians.
  fileprivate func isOfGuardians(threshold: Int) -> Bool {
    memberThreshold == threshold && groupIndex == 0 && groupThreshold == 1 && groupCount == 1
      && iterationExponent == 1 && value.bytes.count == X25519.byteCount
  }
}
