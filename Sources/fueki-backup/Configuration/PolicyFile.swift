internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// The file of an administrator's policy: TOML with a `[policy]` and a `[[target]]` for each target.
enum PolicyFile {
  static let byteLimit = 1 << 20
  /// The owner's own keys need the other slots of an archive.
  static let mostRecipients = 8

  private static let rules = [
    "keep_last", "keep_hourly", "keep_daily", "keep_weekly", "keep_monthly", "keep_yearly",
  ]

  private static let keys =
    [
      ConfigurationKey(table: .policy, name: "number", kind: .number(1...2_000_000_000)),
      ConfigurationKey(table: .policy, name: "administrator", kind: .text),
      ConfigurationKey(table: .policy, name: "recipients", kind: .texts),
      ConfigurationKey(table: .policy, name: "parity", kind: .text),
      ConfigurationKey(table: .policy, name: "kdf_memory", kind: .number(64...1024)),
      ConfigurationKey(table: .policy, name: "kdf_passes", kind: .number(2...16)),
      ConfigurationKey(table: .policy, name: "max_age", kind: .text),
      ConfigurationKey(table: .policy, name: "max_verify_age", kind: .text),
      ConfigurationKey(table: .policy, name: "max_drill_age", kind: .text),
      ConfigurationKey(table: .policy, name: "keep_within", kind: .text),
      ConfigurationKey(table: .target, name: "path", kind: .path),
      ConfigurationKey(table: .target, name: "append_only", kind: .flag),
    ] + rules.map { ConfigurationKey(table: .policy, name: $0, kind: .number(1...1_000_000)) }

  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents, whose signature the caller has checked.
  ///   - path: the file, for messages.
  /// - Returns: the policy. Each of its recipients is an age recipient that needs no plugin.
  /// - Throws: ``CommandError/configuration(_:)`` with the line of the first fault.
  static func read(_ bytes: [UInt8], path: String) throws -> FleetPolicy {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem(path, nil, "it is not UTF-8")
    }
    let file = try ConfigurationFile(path: path, text: text, keys: keys)
    guard let entry = file.entries[.policy]?.first, let number = entry.values["number"]?.number else {
      throw problem(path, file.entries[.policy]?.first?.line, "[policy] needs a \"number\"")
    }
    func value<Value>(_ key: String, _ needed: String, _ read: (String) -> Value?) throws -> Value? {
      guard let text = entry.values[key]?.text else { return nil }
      guard let value = read(text) else {
        throw problem(path, entry.lines[key], "\"\(key)\" must be \(needed)")
      }
      return value
    }
    func seconds(_ key: String) throws -> Double? {
      try value(key, "a duration, such as \"36h\" or \"8d\"") { DurationArgument(argument: $0)?.seconds }
    }
    var policy = FleetPolicy(number: number)
    policy.administrator = entry.values["administrator"]?.text
    policy.parity = try value("parity", "a percentage, such as \"5%\"") { ParityAmount($0) }
    policy.kdfMemory = entry.values["kdf_memory"]?.number.map { UInt32(clamping: $0) }
    policy.kdfPasses = entry.values["kdf_passes"]?.number.map { UInt32(clamping: $0) }
    policy.maxAge = try seconds("max_age")
    policy.maxVerifyAge = try seconds("max_verify_age")
    policy.maxDrillAge = try seconds("max_drill_age")
    policy.retention = retention(entry)
    policy.retention.within = try value("keep_within", "a span of time, such as \"2y5m7d3h\"") {
      CalendarSpan($0)
    }
    policy.recipients = try recipients(entry, path)
    policy.targets = try (file.entries[.target] ?? []).map { try target($0, path) }
    return policy
  }

  private static func retention(_ entry: ConfigurationFile.Entry) -> RetentionRules {
    func count(_ key: String) -> RetentionRules.Count? { (entry.values[key]?.number).map { .number($0) } }
    var rules = RetentionRules()
    rules.last = count("keep_last")
    rules.hourly = count("keep_hourly")
    rules.daily = count("keep_daily")
    rules.weekly = count("keep_weekly")
    rules.monthly = count("keep_monthly")
    rules.yearly = count("keep_yearly")
    return rules
  }

  private static func recipients(_ entry: ConfigurationFile.Entry, _ path: String) throws -> [String] {
    let texts = entry.values["recipients"]?.texts ?? []
    let line = entry.lines["recipients"]
    guard texts.count <= mostRecipients else {
      throw problem(path, line, "\"recipients\" has more than \(mostRecipients) keys")
    }
    var seen: Set<String> = []
    for text in texts {
      let recipient: NamedRecipient
      do {
        recipient = try NamedRecipient(text)
      } catch {
        throw problem(path, line, "\"recipients\": \(Failure(describing: error).message)")
      }
      // A plugin is a program, which the administrator cannot choose.
      guard recipient.recipient.type != .agePlugin else {
        throw problem(path, line, "\"recipients\" has \(recipient.text), which needs a plugin")
      }
      guard seen.insert(recipient.text).inserted else {
        throw problem(path, line, "\"recipients\" has \(recipient.text) twice")
      }
    }
    return texts
  }

  private static func target(_ entry: ConfigurationFile.Entry, _ path: String) throws -> Target {
    guard let text = entry.values["path"]?.text else {
      throw problem(path, entry.line, "[[target]] needs a path")
    }
    let isRemote = Target(path: text).kind == .rclone
    guard isRemote || text.hasPrefix("/") || text.hasPrefix("~/") else {
      throw problem(
        path, entry.lines["path"], "the path of a [[target]] must begin with \"/\", \"~/\" or \"rclone:\"")
    }
    let place = text.replacing("{host}", with: host)
    var target = Target(path: isRemote ? place : HomePath.expanded(place))
    guard target.isWellFormed else {
      throw problem(
        path, entry.lines["path"], "\"\(text)\" is not the name of a configured remote and a path")
    }
    target.isAppendOnly = entry.values["append_only"]?.flag ?? false
    target.isNamedAfterMachine = isRemote && PathParts(Target(path: text).path).name.contains("{host}")
    return target
  }

  /// The machine's name as a part of a path.
  private static var host: String {
    let name = HostName.current.map { character in
      character.isASCII && (character.isLetter || character.isNumber || character == "-") ? character : "_"
    }
    return String(name)
  }

  private static func problem(_ path: String, _ line: Int?, _ what: String) -> CommandError {
    .configuration(
      ConfigurationProblem(
        path: path, line: line, what: what, hint: "fueki-backup-policy(5) describes policies"))
  }
}
