import TestSupport
import Testing

extension Life {
  /// Loses the machine, restores the newest archive on another one, and sets that one up.
  mutating func playMove(from target: Int, _ fault: LifeFault?, resumes: Bool) throws {
    guard isSetUp else { return }
    // A person who has lost a machine fetches every disk.
    try plugIn()
    guard let (name, target) = try newest(preferring: target), let archive = archives[name],
      try world.moveOn()
    else { return }
    let typed = archive.hasRecipient ? try world.trustSigner(of: "latest", target: target) : []
    var result = try world.restore(
      "latest", target: target, passphrase: archive.passphrase, typed, fault: fault)
    try checkEnding(result, ["restore"], fault)
    if fault != nil, ![0, 3].contains(result.status), resumes {
      // It ends with another status where the fault came before there was anything to continue.
      result = try run(["restore", "--resume"] + typed, passphrase: archive.passphrase)
    }
    if fault != nil, ![0, 3].contains(result.status) {
      result = try world.restore("latest", target: target, passphrase: archive.passphrase, typed)
      try checkEnding(result, ["restore"])
    }
    try expect(result, in: [0, 3], "restore")
    let files = world.files()
    guard files == archive.files else {
      throw Broken("restored on the next machine, the files differ: \(result.text)\(result.errors)")
    }
    guard try world.records() == archive.records else {
      throw Broken("restored on the next machine, the records differ: \(result.text)\(result.errors)")
    }
    take(files)
    archives[name]?.machines.insert(world.machine)
    (lastStatus, isChanged, isOvertaken) = (nil, true, false)
    try expect(world.setUp(passphrase: archive.passphrase), in: [0], "init")
    for place in files.keys where !world.sources.contains(place.source) {
      throw Broken("init proposes no source for ~/\(place.path), which was restored")
    }
  }

  /// Restores onto a machine that may have newer files.
  ///
  /// No file is replaced.
  mutating func playRestoreAgain(from target: Int) throws {
    guard isSetUp, let name = try newest(target), let archive = archives[name] else { return }
    let before = world.files()
    let records = try world.records()
    let result = try world.restore("latest", target: target, passphrase: archive.passphrase)
    try checkEnding(result, ["restore"])
    let after = world.files()
    for (place, content) in after where before[place] != content {
      guard before[place] == nil, archive.files[place] == content else {
        throw Broken("a restore replaced ~/\(place.path)")
      }
    }
    let merged = try world.records()
    let isWritten = [0, 3].contains(result.status)
    guard isWritten ? merged.isSuperset(of: records.union(archive.records)) : merged == records else {
      throw Broken("a restore that ended with \(result.status) left wrong records: \(result.text)")
    }
    for place in before.keys where after[place] == nil { throw Broken("a restore removed ~/\(place.path)") }
    if result.status == 0, archive.files.contains(where: { after[$0.key] != $0.value }) {
      throw Broken("restore ended with 0, and not every file is back: \(result.text)")
    }
    take(after)
    if isWritten { archives[name]?.machines.insert(world.machine) }
    isChanged = true
  }

  /// The files on the machine's disk are the person's, unless they are damaged.
  private mutating func take(_ files: [LifePlace: [UInt8]]) {
    owned = files.filter { sound[$0.key]?.contains($0.value) == true }
  }
}
