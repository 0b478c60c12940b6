import TestSupport

/// Something that happens in a life.
///
/// An event that makes no sense where the others led to does nothing.
enum LifeEvent: Equatable {
  /// The person has this program's own wallet too; the first event of such a life.
  case ownWallet
  case record(LifeRecordChange)
  /// The user adds a wallet's file, or changes the existing one.
  case write(LifePlace)
  /// A program makes a wallet that no source takes: `status` says so until the person adds it.
  case newWallet
  case delete(LifePlace)
  case damage(LifePlace, LifeDamage)
  case night(LifeNight)
  case verify
  case drill
  case prune([String], LifeFault?)
  /// The newest archive gets a browser's name in one target.
  case renameArchive(target: Int)
  /// The machine is gone; the newest archive is restored on another one, at the second try after a fault.
  case moveOn(target: Int, LifeFault?, resumes: Bool)
  /// Restores onto the machine that has its files.
  case restoreAgain(target: Int)
  /// The clock of the machine steps, forward or back.
  case clock(days: Int)
  /// A target's disk is unplugged, or an absent one is plugged in again.
  case unplug(target: Int)
  case copy(LifeFault?)
  case changePassphrase(LifeFault?)
  /// Bytes of a target's newest archive change.
  ///
  /// They are repaired, or the archive is copied again.
  case rot(target: Int)
  /// A target's folder gets another name, in the configuration as well.
  case renameFolder(target: Int)
  /// The machine's state is lost; its configuration and its passphrase's file stay.
  case loseState
  /// The machine before this one is switched on again, and makes its nightly backup.
  case oldMachine
  /// A recipient can open the newest archive too.
  case addKey(LifeFault?)
  /// The recipient cannot any more.
  case removeKey

  /// Rules of `prune`.
  static let rules = [
    ["--keep-last", "1"], ["--keep-last", "2"], ["--keep-hourly", "1"], ["--keep-daily", "1"],
    ["--keep-weekly", "1"], ["--keep-monthly", "1"], ["--keep-yearly", "1"], ["--keep-within", "1d"],
    ["--keep-last", "1", "--keep-daily", "1"],
  ]

  /// The events of the life of this number.
  static func life(_ number: Int) -> [LifeEvent] {
    var random = TestSupport.random(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
    let hasRecords = number % 3 == 2
    var events: [LifeEvent] = LifePlace.allCases.filter { $0 == .everyday || random.below(2) == 0 }
      .map { .write($0) }
    if hasRecords { events.insert(.ownWallet, at: 0) }
    events.append(.night(LifeNight()))
    for _ in 0..<(3 + random.below(6)) {
      // Most nights of a wallet in use find other records.
      if hasRecords, random.below(2) == 0 {
        let changes = LifeRecordChange.allCases
        events.append(.record(changes[random.below(changes.count)]))
      }
      events.append(any(&random))
    }
    return events
  }

  private static func any(_ random: inout TestSupport.RandomSource) -> LifeEvent {
    let place = LifePlace.allCases[random.below(LifePlace.allCases.count)]
    let target = 1 + random.below(LifeFolders.count)
    let rules = rules[random.below(rules.count)]
    return switch random.below(46) {
    case 0, 1, 2: .write(place)
    case 3, 4: .delete(place)
    case 5: .damage(place, LifeDamage.allCases[random.below(LifeDamage.allCases.count)])
    case 6, 7, 8, 9, 10: .night(LifeNight(&random))
    case 11, 12, 13: .night(LifeNight(&random, fault: LifeFault.any(&random)))
    case 14: .verify
    case 15: .drill
    case 16, 17: .prune(rules, nil)
    case 18: .prune(rules, .any(&random))
    case 19: .renameArchive(target: target)
    case 20: .moveOn(target: target, nil, resumes: false)
    case 21:
      .moveOn(target: target, LifeFault.any(&random, before: 40), resumes: random.below(2) == 0)
    case 22, 23: .clock(days: [1, 7, 32, 400, -2][random.below(5)])
    case 24: .restoreAgain(target: target)
    case 25, 26: .unplug(target: target)
    case 27: .copy(nil)
    case 28: .copy(.any(&random))
    case 29: .changePassphrase(nil)
    case 30: .changePassphrase(.any(&random))
    case 31, 32: .rot(target: target)
    case 33, 34, 35: .loseState
    case 36, 37, 38: .oldMachine
    case 39: .addKey(nil)
    case 40: .addKey(.any(&random))
    case 41: .removeKey
    case 42, 43, 44: .newWallet
    default: .renameFolder(target: target)
    }
  }
}

/// How `create` is run in one night.
struct LifeNight: Equatable {
  var options: [String] = []
  var fault: LifeFault?

  init() {}

  init(_ random: inout TestSupport.RandomSource, fault: LifeFault? = nil) {
    switch random.below(6) {
    case 0: options.append("--full")
    case 1: options.append("--on-change")
    default: break
    }
    if random.below(3) == 0 { options.append("--accept=loss") }
    if random.below(3) == 0 { options += ["--parity", "20%"] }
    self.fault = fault
  }

  var acceptsLoss: Bool { options.contains("--accept=loss") }
}

extension TestSupport.RandomSource {
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
