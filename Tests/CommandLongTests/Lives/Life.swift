import FuekiSystem
import TestSupport
import Testing

/// Plays events on the program, and compares each answer with a model of what the person owns.
struct Life {
  let world: LifeWorld
  /// The sound files that the person has on the machine.
  var owned: [LifePlace: [UInt8]] = [:]
  /// Every sound content that a place ever had.
  var sound: [LifePlace: Set<[UInt8]>] = [:]
  /// The last valid content that an archive returned, until the user abandons the file.
  ///
  /// A failed run may have left an archive of a newer one: then either is enough.
  var kept: [LifePlace: Set<[UInt8]>] = [:]
  /// The result for each archive on a new machine.
  var archives: [String: Archive] = [:]
  var isSetUp = false
  /// Whether a file changed since the last night.
  var isChanged = true
  /// The machines that did not end by themselves the last run that writes into targets.
  var killedOn: Set<Int> = []
  /// The exit status of the last `status`, unless something has happened since that it does not see.
  var lastStatus: Int32?
  /// Whether another machine has made an archive since this one's last.
  var isOvertaken = false
  /// The machines that have lost their state since their last archive.
  var withoutState: Set<Int> = []
  var version = 0

  struct Archive {
    /// The files that came back on a new machine.
    var files: [LifePlace: [UInt8]]
    /// The records of the own wallet that came back there.
    var records: LifeRecords
    var status: Int32
    /// The number of the passphrase that opens it.
    var passphrase: Int
    /// The machines that made it or restored it, and so know of it.
    var machines: Set<Int>
    /// Whether a recipient can open it too.
    var hasRecipient = false
  }

  /// A promise that was not kept.
  struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  init() throws { world = try LifeWorld() }

  /// Plays the events up to the first broken promise, and returns it with the commands of the life.
  static func play(_ events: [LifeEvent]) throws -> (broken: Broken?, lines: [String]) {
    var life = try Life()
    do {
      for event in events {
        try life.play(event)
        try life.check()
      }
      try life.checkEverythingKept()
    } catch let broken as Broken {
      return (broken, life.world.lines)
    }
    return (nil, life.world.lines)
  }

  mutating func play(_ event: LifeEvent) throws {
    switch event {
    case .ownWallet: try world.prepareStore()
    case .record(let change): try playRecord(change)
    case .write(let place):
      version += 1
      let content = place.content(version)
      try world.write(content, to: place, "version \(version)")
      owned[place] = content
      sound[place, default: []].insert(content)
      if isSetUp { try world.add(place.source) }
      isChanged = true
    case .newWallet: try playNewWallet()
    case .delete(let place):
      guard world.files()[place] != nil else { return }
      try world.delete(place)
      owned[place] = nil
      isChanged = true
    case .damage(let place, let damage):
      guard let content = owned[place] else { return }
      try world.write(damage.applied(to: content), to: place, "\(damage)")
      owned[place] = nil
      isChanged = true
    case .night(let night): try playNight(night)
    case .verify: try playVerify(["verify", "latest", "--depth", "contents"])
    case .drill: try playVerify(["drill"])
    case .prune(let rules, let fault): try playPrune(rules, fault)
    case .renameArchive(let target): try renameArchive(target)
    case .moveOn(let target, let fault, let resumes): try playMove(from: target, fault, resumes: resumes)
    case .restoreAgain(let target): try playRestoreAgain(from: target)
    case .clock(let days): world.stepClock(days)
    case .unplug(let target): try unplug(target)
    case .copy(let fault): try playCopy(fault)
    case .changePassphrase(let fault): try playChange(fault)
    case .rot(let target): try playRot(target)
    case .loseState: try playLostState()
    case .oldMachine: try playOldMachine()
    case .addKey(let fault): try playAddKey(fault)
    case .removeKey: try playRemoveKey()
    case .renameFolder(let target):
      guard isSetUp, world.folders.away == nil else { return }
      try world.renameFolder(target)
    }
  }

  // MARK: runs

  /// Runs a command; an undocumented exit status and a crash break a promise.
  @discardableResult
  mutating func run(
    _ arguments: [String], passphrase: Int? = nil, fault: LifeFault? = nil
  ) throws -> RunResult {
    let result = try world.run(arguments, passphrase: passphrase, fault: fault)
    try checkEnding(result, arguments, fault)
    return result
  }

  mutating func checkEnding(
    _ result: RunResult, _ arguments: [String], _ fault: LifeFault? = nil
  ) throws {
    let command = arguments.first ?? ""
    guard !result.timedOut else { throw Broken("\(command) does not end") }
    // faketime ends with 1 where its program was killed.
    if fault?.isKill == true, result.status == 137 || result.status == 1 && world.hasOwnClock {
      if command != "restore" { killedOn.insert(world.machine) }
      return
    }
    guard case .exited(let status) = result.ending else {
      throw Broken("\(command) \(result.ending.sentence)")
    }
    guard try ExitStatuses.documented(command).contains(status) else {
      throw Broken("\(command) ended with the undocumented status \(status): \(result.errors)")
    }
  }

  func expect(_ result: RunResult, in statuses: Set<Int32>, _ command: String) throws {
    guard !statuses.contains(result.status) else { return }
    throw Broken("\(command) ended with \(result.status): \(result.text)\(result.errors)")
  }

  // MARK: archives

  /// The newest archive of a target that is there, under its first name.
  func newest(_ target: Int) throws -> String? {
    guard world.folders.present.contains(target) else { return nil }
    return try world.folders.archives(target).last.map(LifeFolders.original)
  }

  /// The newest archive of all targets that are there, and a target that has it: the preferred one if it does.
  func newest(preferring preferred: Int = 1) throws -> (name: String, target: Int)? {
    let found = try world.folders.present.compactMap { target in
      try newest(target).map { (name: $0, target: target) }
    }
    let last = found.map { LifeFolders.sequence($0.name) }.max()
    let best = found.filter { LifeFolders.sequence($0.name) == last }
    return best.first { $0.target == preferred } ?? best.first
  }

  /// Whether every target is there and has the same newest archive.
  func isLevel() throws -> Bool {
    guard world.folders.away == nil else { return false }
    let names = try (1...LifeFolders.count).map { try newest($0) }
    return names[0] != nil && names.allSatisfy { $0 == names[0] }
  }

  /// Returns the archives of all targets, including an unplugged one.
  func allArchives() throws -> [String] {
    try (1...LifeFolders.count).flatMap { try archives(in: $0) }
  }

  func archives(in target: Int) throws -> [String] {
    try world.folders.archives(target).map(LifeFolders.original)
  }
}
