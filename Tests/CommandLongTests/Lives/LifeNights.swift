import TestSupport
import Testing

extension Life {
  /// Makes an archive as a timer does, and restores it on a new machine.
  mutating func playNight(_ night: LifeNight) throws {
    if !isSetUp {
      try expect(world.setUp(passphrase: 1), in: [0], "init")
      isSetUp = true
      try addSources(of: owned)
    }
    let wasWell = lastStatus == 0 && !isChanged
    let before = Set(try allArchives())
    // The person knows that no other machine makes this vault's archives.
    let continuing = withoutState.contains(world.machine) ? try continuingOptions() : []
    let made = try run(["create"] + continuing + night.options, fault: night.fault)
    let new = Set(try allArchives()).subtracting(before)
    guard new.count <= 1 else { throw Broken("one run made \(new.count) archives") }
    let isFaulty = night.fault != nil && made.status != 0
    if !isFaulty, wasWell, made.status != 0 {
      throw Broken("status was 0, and create ended with \(made.status): \(made.text)\(made.errors)")
    }
    if !isFaulty, isWell, !isOvertaken {
      let expected: Int32 = world.folders.away == nil ? 0 : 3
      guard made.status == expected else {
        throw Broken("create ended with \(made.status), not \(expected): \(made.text)\(made.errors)")
      }
    }
    if let name = new.first { try probe(name) }
    if made.status == 0 {
      guard !isOvertaken else { throw Broken("another machine has gone on, and create ended with 0") }
      try checkMade(night, made)
    }
    if new.count == 1 {
      isOvertaken = false
      withoutState.remove(world.machine)
    }
    if night.acceptsLoss, made.status == 0 || new.count == 1 || isFaulty {
      kept = kept.filter { owned[$0.key] != nil }
    }
    if let name = new.first { note(name, isFaulty: isFaulty) }
    if !isFaulty { isChanged = false }
    if !isFaulty, world.folders.away == nil { killedOn.remove(world.machine) }
    if made.status == 0, !isFaulty { try checkCoverageOfTargets() }
  }

  /// Finds a new wallet in its program's place, which no source takes.
  mutating func playNewWallet() throws {
    let place = LifePlace.keystore
    guard isSetUp, !world.sources.contains(place.source) else { return }
    version += 1
    let content = place.content(version)
    try world.write(content, to: place, "version \(version)")
    owned[place] = content
    sound[place, default: []].insert(content)
    isChanged = true
    let told = try run(["status"])
    guard told.status != 0, (told.text + told.errors).contains("in no backup") else {
      throw Broken("a wallet is in no backup, and status ended with \(told.status): \(told.text)")
    }
    try expect(run(["discover", "--add"]), in: [0], "discover")
    world.learnSources()
    guard world.sources.contains(place.source) else {
      throw Broken("discover --add wrote no source for ~/\(place.path)")
    }
  }

  func addSources(of files: [LifePlace: [UInt8]]) throws {
    for place in files.keys.sorted(by: { $0.rawValue < $1.rawValue }) { try world.add(place.source) }
  }

  /// Whether the person has everything that was ever kept, and each source has something to read.
  private var isWell: Bool {
    let files = world.files()
    let isSound = files.allSatisfy { owned[$0.key] == $0.value } && kept.keys.allSatisfy { owned[$0] != nil }
    let isRead = LifeSource.allCases.filter { world.sources.contains($0) }
      .allSatisfy { $0.places.contains { owned[$0] != nil } }
    return isSound && isRead
  }

  /// Remembers what an archive has.
  private mutating func note(_ name: String, isFaulty: Bool) {
    guard let archive = archives[name] else { return }
    for (place, content) in owned where archive.files[place] == content {
      if isFaulty {
        // The run did not say that it made this archive.
        if kept[place] != nil { kept[place]?.insert(content) }
      } else {
        kept[place] = [content]
      }
    }
  }

  /// Checks a run of `create` that ended with 0: every file is in the newest archive.
  ///
  /// Owned files are there in their current version, and lost ones in a kept version unless the run accepted the loss.
  private func checkMade(_ night: LifeNight, _ made: RunResult) throws {
    guard try isLevel(), let name = try newest()?.name, let archive = archives[name] else {
      throw Broken("create ended with 0, and not every target has the newest archive")
    }
    guard archive.status == 0 else {
      throw Broken("create ended with 0, and restoring on a new machine with \(archive.status)")
    }
    let gone = night.acceptsLoss ? [:] : kept.filter { owned[$0.key] == nil }
    guard try archive.records == world.records() else {
      throw Broken("create ended with 0, and not every record comes back as it was: \(made.text)")
    }
    for (place, contents) in owned.mapValues({ Set([$0]) }).merging(gone, uniquingKeysWith: { own, _ in own })
    where !archive.has(place, contents) {
      throw Broken("create ended with 0, and ~/\(place.path) does not come back as it was: \(made.text)")
    }
  }

  /// Restores an archive on a new machine.
  private mutating func probe(_ name: String) throws {
    try probe(name, passphrase: world.storedPassphrase ?? 1)
  }

  mutating func probe(_ name: String, passphrase: Int, hasRecipient: Bool = false) throws {
    guard let target = try world.folders.present.first(where: { try newest($0) == name }) else {
      throw Broken("\(name) is not the newest where it was written")
    }
    let probe = try world.probe(
      "latest", target: target, passphrase: passphrase, trusting: hasRecipient)
    let result = probe.result
    try checkEnding(result, ["restore"])
    archives[name] = Archive(
      files: probe.files, records: probe.records, status: result.status, passphrase: passphrase,
      machines: [world.machine], hasRecipient: hasRecipient)
    guard [0, 3].contains(result.status) else {
      throw Broken("a new archive does not come back: \(result.status) \(result.text)\(result.errors)")
    }
  }

  /// Checks the newest archive.
  ///
  /// Where the answer is good, it comes back.
  mutating func playVerify(_ arguments: [String]) throws {
    guard isSetUp, let name = try newest()?.name, let archive = archives[name] else { return }
    let result = try run(arguments, passphrase: archive.passphrase)
    if result.status == 0, ![0, 3].contains(archive.status) {
      throw Broken("\(arguments[0]) ended with 0, and restoring with \(archive.status)")
    }
    // An archive with files that are damaged may be called different, a sound one may not.
    let isSound = archive.files.allSatisfy { sound[$0.key]?.contains($0.value) == true }
    if isSound, archive.status == 0, world.folders.away == nil, result.status != 0 {
      throw Broken("\(arguments[0]) ended with \(result.status): \(result.text)\(result.errors)")
    }
  }
}
