internal import FuekiCrypto
internal import FuekiSystem
package import FuekiArchive

/// Tries secrets on archives that anyone may have put there, until the time for it is over.
package struct ArchiveTrial {
  private let secrets: UnlockingSecrets
  private let budget: TrialBudget
  private let ownCosts: Set<Argon2id.Cost>

  /// - Parameters:
  ///   - secrets: to try.
  ///   - budget: the time for it.
  ///   - own: archives that are the user's. Those that cost as much are tried first, and the cheapest of the others next,
  ///     so that no stranger's costly file is in front of them.
  package init(_ secrets: UnlockingSecrets, _ budget: TrialBudget, costsOf own: [StoredArchive] = []) {
    self.secrets = secrets
    self.budget = budget
    ownCosts = Set(own.flatMap(\.slots).compactMap(\.cost))
  }

  /// What came of it.
  package struct Outcome {
    /// The newest archive that a secret opens, as far as they were tried.
    package var opened: StoredArchive?
    /// How many were tried.
    package var tried = 0
    /// Those that were not tried, and are newer.
    package var untried: [StoredArchive] = []
  }

  /// Finds the newest archive that a secret opens.
  ///
  /// One that is older than another that opens is not tried.
  ///
  /// - Parameters:
  ///   - archives: the archives, newest first.
  ///   - most: the most that are tried.
  ///   - counts: whether an archive that a secret opens counts.
  /// - Returns: the archive, and what was not tried.
  /// - Throws: ``ArchiveError/outOfMemory``. Any other error says that it does not open.
  package func newest(
    of archives: [StoredArchive], atMost most: Int = .max,
    where counts: (StoredArchive) -> Bool = { _ in true }
  ) throws(ArchiveError) -> Outcome {
    var outcome = Outcome()
    var seen: Set<Digest> = []
    for archive in inOrder(archives) where seen.insert(archive.statedDigest).inserted {
      guard archive.facts.sequence > outcome.opened?.facts.sequence ?? 0 else { continue }
      guard outcome.tried < most, budget.mayTry(archive.kibibytesPerTry) else {
        outcome.untried.append(archive)
        continue
      }
      outcome.tried += 1
      if try opens(archive), counts(archive) { outcome.opened = archive }
    }
    let newest = outcome.opened?.facts.sequence ?? 0
    outcome.untried.removeAll { $0.facts.sequence <= newest }
    return outcome
  }

  private func opens(_ archive: StoredArchive) throws(ArchiveError) -> Bool {
    do throws(ArchiveError) {
      return try archive.opens(with: secrets)
    } catch .outOfMemory {
      throw .outOfMemory
    } catch {
      return false
    }
  }

  private func inOrder(_ archives: [StoredArchive]) -> [StoredArchive] {
    archives.enumerated().map { (Price($0.element, ownCosts, place: $0.offset), $0.element) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// What a try costs, for comparing.
  private struct Price: Comparable {
    let isForeign: Bool
    let kibibytes: UInt64
    let place: Int

    init(_ archive: StoredArchive, _ own: Set<Argon2id.Cost>, place: Int) {
      isForeign = !archive.slots.compactMap(\.cost).allSatisfy(own.contains)
      kibibytes = archive.kibibytesPerTry
      self.place = place
    }

    static func < (a: Price, b: Price) -> Bool {
      guard a.isForeign == b.isForeign else { return b.isForeign }
      return (a.kibibytes, a.place) < (b.kibibytes, b.place)
    }
  }
}

extension StoredArchive {
  /// Memory times passes of its derivations.
  var kibibytesPerTry: UInt64 {
    slots.compactMap(\.cost).reduce(0) { $0 &+ UInt64($1.memoryKiB) * UInt64($1.passes) }
  }
}

/// The time that a run may spend on trying secrets on archives of unknown owners, in all.
///
/// Whoever writes an archive chooses what a try costs, and may have put many there.
public final class TrialBudget {
  private static let seconds = 30.0
  /// The sum of memory times passes that is spent in any case, so that a busy machine tries enough: 8 GiB, which takes some
  /// ten seconds of one that is idle.
  private static let leastKibibytes: UInt64 = 8 << 20

  private let limit: Double
  private let now: () -> Double
  private let least: UInt64
  private var start: Double?
  private var spent: UInt64 = 0

  /// The time of a run, by the system's clock.
  public convenience init() {
    self.init(seconds: Self.seconds, atLeast: Self.leastKibibytes) { SystemClock.monotonicSeconds }
  }

  /// - Parameters:
  ///   - seconds: from the first try on.
  ///   - kibibytes: the sum of memory times passes that is spent whatever the time.
  ///   - now: a clock in seconds that never goes back.
  package init(seconds: Double, atLeast kibibytes: UInt64 = 0, now: @escaping () -> Double) {
    (limit, least, self.now) = (seconds, kibibytes, now)
  }

  /// Whether another try, which costs so much memory times passes, may begin; a try that has begun is finished.
  func mayTry(_ kibibytes: UInt64 = 0) -> Bool {
    let now = now()
    let start = start ?? now
    self.start = start
    guard now - start < limit || spent &+ kibibytes < least else { return false }
    spent &+= kibibytes
    return true
  }
}
