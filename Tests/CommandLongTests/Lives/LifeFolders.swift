import CommandSupport
import FuekiSystem
import TestSupport

/// The targets of a life: where they are, and the archives in them.
struct LifeFolders {
  static let count = 2

  let scratch: Machine
  private var names: [Int: String]
  /// The target whose disk is not plugged in.
  private(set) var away: Int?

  init(_ scratch: Machine) throws {
    self.scratch = scratch
    names = Dictionary(uniqueKeysWithValues: (1...Self.count).map { ($0, "target-\($0)") })
    for number in 1...Self.count { try Directory.makePrivateDirectories(path(number)) }
  }

  /// The path that the configuration has.
  func path(_ number: Int) -> String { scratch.path(name(number)) }

  var present: [Int] { (1...Self.count).filter { $0 != away } }

  private func name(_ number: Int) -> String { names[number] ?? "" }

  /// The name below the scratch folder, also where the disk is away.
  private func place(_ number: Int) -> String { name(number) + (number == away ? ".away" : "") }

  // MARK: archives

  /// The file names of a target's archives, the oldest first.
  func archives(_ number: Int) throws -> [String] {
    try scratch.names(in: place(number)).filter { $0.hasSuffix(".fueki") }
      .sorted { Self.sequence($0) < Self.sequence($1) }
  }

  /// The number in its vault that an archive's name has.
  static func sequence(_ name: String) -> Int {
    let parts = name.split(separator: "-")
    return parts.count > 2 ? Int(parts[2]) ?? 0 : 0
  }

  /// An archive's name, whatever a browser made of it.
  static func original(_ name: String) -> String {
    guard name.hasSuffix(" (1).fueki") else { return name }
    return "\(name.dropLast(" (1).fueki".count)).fueki"
  }

  func hasRecoveryFiles(_ archive: String, in number: Int) throws -> Bool {
    try scratch.names(in: place(number)).contains { $0.hasPrefix("\(archive).") && $0.hasSuffix(".par2") }
  }

  func read(_ archive: String, in number: Int) throws -> [UInt8] {
    try scratch.read("\(place(number))/\(archive)")
  }

  func write(_ bytes: [UInt8], to archive: String, in number: Int) throws {
    try scratch.write(bytes, to: "\(place(number))/\(archive)")
  }

  func remove(_ archive: String, in number: Int) throws { try scratch.remove("\(place(number))/\(archive)") }

  /// Removes the damaged file that `repair` kept, as its page says.
  func removeDamaged(in number: Int) throws {
    for name in try scratch.names(in: place(number)) where name.contains(".fueki.damaged-") {
      try remove(name, in: number)
    }
  }

  /// Names that no run may leave; temporary ones are expected after a killed run that none has cleaned up after.
  func strayNames(temporary: Bool) throws -> [String] {
    try (1...Self.count).flatMap { number in
      try scratch.names(in: place(number)).filter { name in
        let isExpected = name.hasSuffix(".fueki") || name.hasSuffix(".par2")
        return !isExpected && !(temporary && name.hasPrefix(".fueki-"))
      }.map { "\(place(number))/\($0)" }
    }
  }

  // MARK: changes

  /// Renames the newest archive like a browser, and returns both paths; nil if it is already renamed.
  func renameNewest(_ number: Int) throws -> (old: String, new: String)? {
    guard let name = try archives(number).last, !name.contains("(1)") else { return nil }
    let new = "\(name.dropLast(".fueki".count)) (1).fueki"
    try Directory.open(scratch.path(place(number))).rename(name, to: new, replacing: false)
    return ("\(place(number))/\(name)", "\(place(number))/\(new)")
  }

  mutating func hide(_ number: Int) throws {
    guard away == nil else { return }
    try move(name(number), "\(name(number)).away")
    away = number
  }

  mutating func show() throws {
    guard let number = away else { return }
    try move("\(name(number)).away", name(number))
    away = nil
  }

  /// Renames a target's folder.
  mutating func rename(_ number: Int) throws {
    let new = name(number).hasSuffix("b") ? String(name(number).dropLast()) : "\(name(number))b"
    try move(name(number), new)
    names[number] = new
  }

  private func move(_ old: String, _ new: String) throws {
    try Directory.open(scratch.root).rename(old, to: new, replacing: false)
  }
}
