import FuekiSystem
package import TestSupport
package import Testing

extension Machine {
  /// A machine with two archives.
  package static func withTwoArchives() throws -> Machine {
    let machine = try Machine()
    try machine.create(status: 0)
    return machine
  }

  /// A machine whose vault's archives are in `bucket/alice`, and another vault's archive in `bucket/bob`.
  package static func withBucket() throws -> Machine {
    let machine = try withTwoArchives()
    try Directory.makePrivateDirectories(machine.path("bucket/bob"))
    try machine.copy("target", to: "bucket/alice")
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "bucket/bob/b.fueki")
    return machine
  }

  /// Changes a bit of a file, at so many sixteenths of it, and returns the bytes before.
  @discardableResult
  package func damage(_ name: String, part: Int = 8) throws -> [UInt8] {
    let whole = try read(name)
    var bytes = whole
    bytes[bytes.count * part / 16] ^= 1
    try write(bytes, to: name)
    return whole
  }

  /// Runs the program as another machine does that has no state, and only sees the folders.
  @discardableResult
  package func watch(
    _ arguments: [String], through: [String] = [], environment: [String: String] = [:],
    status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    let own = ["FUEKI_STATE": path("watcher"), "FUEKI_DATADIR": path("no-data")]
    return try run(
      arguments, through: through, environment: own.merging(environment) { $1 }, status: status,
      sourceLocation: sourceLocation)
  }
}

extension RunResult {
  /// The verdicts on expected vaults, by the vaults' ids.
  package func verdicts() throws -> [String: JSONValue] {
    let all = try json()["expected"]?.elements ?? []
    return Dictionary(all.map { ($0["vault"]?.text ?? "", $0) }) { $1 }
  }
}
