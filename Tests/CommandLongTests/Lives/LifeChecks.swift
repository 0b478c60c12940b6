import TestSupport
import Testing

extension Life {
  /// The promises that hold after every event.
  mutating func check() throws {
    let stray = try world.strayNames() + world.folders.strayNames(temporary: !killedOn.isEmpty)
    guard stray.isEmpty else { throw Broken("left behind: \(stray)") }
    guard isSetUp else { return }
    let result = try run(["status"])
    lastStatus = result.status
    guard result.status == 0, try !isLevel() else { return }
    let newest = try (1...LifeFolders.count).map { try self.newest($0) }
    throw Broken("status ended with 0, and the newest archives of the targets are \(newest)")
  }

  /// Each file that the person never gave up is in an archive that is there.
  func checkCoverage() throws { try checkCoverage(by: try allArchives(), "no archive") }

  /// Each target has an archive of each file that the person never gave up.
  func checkCoverageOfTargets() throws {
    for target in 1...LifeFolders.count {
      try checkCoverage(
        by: archives(in: target), "target \(target), which is up to date, has no archive that")
    }
  }

  private func checkCoverage(by names: [String], _ subject: String) throws {
    let present = Set(names)
    for (place, contents) in kept
    where !present.contains(where: { archives[$0]?.has(place, contents) == true }) {
      throw Broken("\(subject) has ~/\(place.path) any more, and its loss was never accepted")
    }
  }

  /// At the end of a life, restores the archives that have what the newest one lacks.
  mutating func checkEverythingKept() throws {
    try world.folders.show()
    try checkCoverage()
    var left = kept
    if let name = try newest()?.name, let newest = archives[name] {
      left = left.filter { !newest.has($0.key, $0.value) }
    }
    for target in 1...LifeFolders.count {
      for file in try world.folders.archives(target).reversed() where !left.isEmpty {
        guard let known = archives[LifeFolders.original(file)],
          left.contains(where: { known.has($0.key, $0.value) })
        else { continue }
        let probe = try world.probe(
          "\(world.folders.path(target))/\(file)", target: target, passphrase: known.passphrase,
          trusting: known.hasRecipient)
        try checkEnding(probe.result, ["restore"])
        left = left.filter { place, contents in probe.files[place].map { !contents.contains($0) } ?? true }
      }
    }
    for place in left.keys { throw Broken("~/\(place.path) is in an archive and does not come back") }
  }
}

extension Life.Archive {
  func has(_ place: LifePlace, _ contents: Set<[UInt8]>) -> Bool {
    files[place].map(contents.contains) ?? false
  }
}
