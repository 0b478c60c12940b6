import TestSupport
import Testing

extension Life {
  /// Unplugs a target's disk, or plugs an absent one in again.
  mutating func unplug(_ target: Int) throws {
    guard isSetUp, try newest() != nil else { return }
    guard world.folders.away == nil else { return try plugIn() }
    try world.folders.hide(target)
    world.note("mv \(world.folders.path(target)) \(world.folders.path(target)).away")
  }

  func plugIn() throws {
    guard let target = world.folders.away else { return }
    try world.folders.show()
    world.note("mv \(world.folders.path(target)).away \(world.folders.path(target))")
  }

  func renameArchive(_ target: Int) throws {
    guard world.folders.present.contains(target), let (old, new) = try world.folders.renameNewest(target)
    else {
      return
    }
    world.note("mv $R/\(old) '$R/\(new)'")
  }

  /// Brings every target up to the newest archive.
  mutating func playCopy(_ fault: LifeFault?) throws {
    guard isSetUp, !isOvertaken, try newest() != nil else { return }
    let result = try run(["copy"], fault: fault)
    if fault == nil, world.folders.away == nil { try expect(result, in: [0], "copy") }
    guard result.status == 0 else { return }
    guard try isLevel() else { throw Broken("copy ended with 0, and a target lacks the newest archive") }
    try checkCoverageOfTargets()
  }

  /// Removes old archives.
  ///
  /// An archive of every file stays.
  mutating func playPrune(_ rules: [String], _ fault: LifeFault?) throws {
    guard isSetUp else { return }
    let result = try run(["prune"] + rules, fault: fault)
    if fault == nil { try expect(result, in: [0, 3], "prune") }
    try checkCoverage()
  }

  /// Changes bytes of a target's newest archive, to be repaired or copied from the other target.
  mutating func playRot(_ target: Int) throws {
    guard isSetUp, !isOvertaken, try isLevel(), let name = try world.folders.archives(target).last,
      let archive = archives[name]
    else { return }
    let bytes = try world.folders.read(name, in: target)
    var rotten = bytes
    for place in bytes.count / 2..<min(bytes.count, bytes.count / 2 + 40) { rotten[place] ^= 0x55 }
    try world.folders.write(rotten, to: name, in: target)
    let path = "\(world.folders.path(target))/\(name)"
    world.note("# 40 bytes from byte \(bytes.count / 2) of \(path) change")
    let looked = try run(["verify", path])
    guard looked.status != 0 else { throw Broken("verify ended with 0 on a damaged archive") }
    let probe = try world.probe(
      path, target: target, passphrase: archive.passphrase, trusting: archive.hasRecipient)
    try checkEnding(probe.result, ["restore"])
    guard probe.result.status != 0 || archive.isEqual(to: probe) else {
      throw Broken("restore ended with 0 on a damaged archive, and the files differ")
    }
    if try world.folders.hasRecoveryFiles(name, in: target) {
      try expect(run(["repair", path]), in: [0], "mend")
      try world.folders.removeDamaged(in: target)
    } else {
      try world.folders.remove(name, in: target)
      world.note("rm \(path)")
      try expect(run(["copy"]), in: [0], "copy")
    }
    guard try world.folders.archives(target).contains(name),
      try world.folders.read(name, in: target) == bytes
    else { throw Broken("a damaged archive is not as it was, though mend or copy ended with 0") }
  }

  /// Seals the newest archive with a new passphrase, in every target that is there.
  mutating func playChange(_ fault: LifeFault?) throws {
    guard isSetUp, !isOvertaken, let old = try newest()?.name, let archive = archives[old] else { return }
    let before = Set(try allArchives())
    let new = try world.newPassphrase()
    let result = try world.changePassphrase(
      from: archive.passphrase, to: new, Self.keeping(archive), fault: fault)
    try checkEnding(result, ["key"], fault)
    try checkResealed(since: before, archive, passphrase: new, hasRecipient: archive.hasRecipient)
    guard fault == nil || result.status == 0 else { return }
    try expect(result, in: world.folders.away == nil ? [0] : [3], "key change-passphrase")
    guard world.storedPassphrase == new else {
      throw Broken("key change-passphrase ended with \(result.status), and the nights do not have it")
    }
    try checkHasNewArchive(since: before, "key change-passphrase")
  }
}
