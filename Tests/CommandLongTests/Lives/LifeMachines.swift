import TestSupport
import Testing

extension Life {
  /// Loses the state of the machine that the person works on.
  mutating func playLostState() throws {
    guard isSetUp, try newest() != nil else { return }
    try world.loseState()
    // Its next runs no longer know which temporary files are theirs.
    if !killedOn.isEmpty { killedOn.insert(0) }
    // A person whose newest archive has a second key says with the kit whose it is.
    if let (name, target) = try newest(), archives[name]?.hasRecipient ?? true {
      try world.trustSigner(of: "latest", target: target)
    }
    (lastStatus, isOvertaken) = (nil, false)
    withoutState.insert(world.machine)
  }

  /// Names the vault of the archives, after the state that names it is lost.
  func continuingOptions() throws -> [String] {
    guard let target = try newest()?.target else { return [] }
    let list = try world.run(["list", world.folders.path(target), "--json"], passphrase: nil)
    guard list.status == 0, let vault = try list.json()["archives"]?[0]?["vault"]?.text else { return [] }
    return ["--continue", vault]
  }

  /// Makes a backup on the machine before this one, as its timer does when it is switched on again.
  mutating func playOldMachine() throws {
    let old = world.machine - 1
    guard isSetUp, old > 0, world.hasTargets(old), let passphrase = world.storedPassphrase(on: old),
      let last = try newest()?.name
    else { return }
    // Its passphrase does not prove that archive, so it can only warn.
    if let newest = archives[last], !newest.machines.contains(old),
      newest.hasRecipient || newest.passphrase != passphrase
    {
      return
    }
    let knows = archives[last]?.machines.contains(old) == true || withoutState.contains(old)
    let before = Set(try allArchives())
    let continuing = withoutState.contains(old) ? try continuingOptions() : []
    let result = try world.run(["create"] + continuing, passphrase: nil, on: "\(old)")
    try checkEnding(result, ["create"])
    guard result.status != 0 || knows else {
      throw Broken("the old machine's create ended with 0, though another has gone on: \(result.text)")
    }
    let made = Set(try allArchives()).subtracting(before)
    guard made.count <= 1 else { throw Broken("one run made \(made.count) archives") }
    guard let name = made.first else { return }
    try probe(name, passphrase: passphrase)
    archives[name]?.machines = [old]
    withoutState.remove(old)
    // Its files are in the newest archive now, so that a later loss of them has to be reported.
    for (place, content) in archives[name]?.files ?? [:] where sound[place]?.contains(content) == true {
      kept[place, default: []].insert(content)
    }
    (isOvertaken, isChanged) = (true, true)
    let status = try run(["status"])
    guard status.status != 0 else {
      throw Broken("the old machine has gone on, and status ended with 0: \(status.text)")
    }
  }
}
