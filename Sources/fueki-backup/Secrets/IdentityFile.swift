internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// An age identity file: private keys, which go from the file straight into ``SecretBytes``, and plugins' identities.
enum IdentityFile {
  /// Plugins' identities by their file, so that a plugin is not asked twice for an archive.
  private static let plugins = Locked<[ExactText: [PluginIdentity]]>([:])

  /// Adds the identities of a file.
  static func add(_ path: String, to secrets: inout UnlockingSecrets) throws {
    let file = try read(path)
    secrets.identities += file.keys
    secrets.plugins += plugins.withLock { known in
      if let identities = known[ExactText(path)] { return identities }
      let identities = file.plugins.map { PluginIdentity($0, PluginQuestions.plugins) }
      known[ExactText(path)] = identities
      return identities
    }
  }

  static func read(_ path: String) throws -> AgeIdentityFile {
    let text = try PrivateText.read(path, as: "an identity file")
    do {
      return try AgeKey.identities(in: text)
    } catch {
      throw CommandError.secretUnreadable(source: path, reason: error.sentence)
    }
  }
}

/// The messages and questions of age plugins, at the terminal.
///
/// All of it is untrusted text, and is marked as such.
struct PluginQuestions: PluginPerson {
  /// How age's plugins are run by this program.
  static let plugins = AgePlugins(asking: PluginQuestions())

  private static let answerByteCount = 4096

  /// A message needs no answer, so without a terminal it may go to a log.
  func show(_ message: String, of program: String) -> Bool {
    (try? StandardStream.error.write(Self.line(message, of: program) + "\n")) != nil
  }

  func confirm(_ message: String, yes: String, no: String?, of program: String) -> Bool? {
    let answers = "1 = \(TerminalText.line(yes)), 2 = \(TerminalText.line(no ?? "no"))"
    let prompt = "\(Self.line(message, of: program))\n\(answers): "
    while let answer = try? Terminal.readLine(prompt: prompt) {
      switch answer.filter({ !$0.isWhitespace }) {
      case "1": return true
      case "2": return false
      default: continue
      }
    }
    return nil
  }

  func answer(_ message: String, of program: String) -> String? {
    (try? Terminal.readLine(prompt: "\(Self.line(message, of: program)): ")) ?? nil
  }

  func secret(_ message: String, of program: String) -> SharedSecret? {
    do {
      var count: Int?
      let typed = try SecretBytes(count: Self.answerByteCount) { buffer in
        count = try Terminal.readSecret(
          prompt: "\(Self.line(message, of: program)) (not shown): ", into: &buffer)
      }
      guard let count else { return nil }
      return SharedSecret(try typed.copy(0..<count))
    } catch { return nil }
  }

  private static func line(_ message: String, of program: String) -> String {
    TerminalText.line("\(program) says: \(message)")
  }
}
