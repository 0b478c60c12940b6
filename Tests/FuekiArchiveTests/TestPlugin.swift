import FuekiArchive
import FuekiCrypto
import FuekiSystem
import Synchronization
import TestSupport
import Testing

/// The plugin in Tests/Plugins, in one of its modes.
struct TestPlugin {
  static let program = "\(SourceTree.path)/Tests/Plugins/age-plugin-fuekitest"

  let identityText: String
  let recipientText: String
  let plugins: AgePlugins

  /// Creates an identity.
  ///
  /// Modes that hang on purpose get a few seconds.
  init(_ mode: String, patience: Double = 60, asking person: any PluginPerson = NobodyToAsk()) throws {
    let made = try BuiltBinary.run(program: Self.program, ["--make", mode])
    try #require(made.status == 0, "\(made.errors)")
    let lines = made.text.split(separator: "\n").map(String.init)
    recipientText = try #require(lines.first?.split(separator: " ").last.map(String.init))
    identityText = try #require(lines.last)
    plugins = AgePlugins(asking: person, patience: patience) { name in
      name == "age-plugin-fuekitest" ? Self.program : nil
    }
  }

  func recipient() throws -> PluginRecipient {
    PluginRecipient(try #require(try AgePluginRecipient(recipientText)), plugins)
  }

  func identity() throws -> PluginIdentity {
    let line = try SecretBytes(copying: Array(identityText.utf8).span)
    return PluginIdentity(try #require(try AgeKey.identities(in: line).plugins.first), plugins)
  }
}

/// A user who answers as the plugin's mode `asks` expects, or not at all.
final class Anna: PluginPerson {
  let seen = Mutex<[String]>([])
  private let pin: String?

  init(pin: String?) { self.pin = pin }

  private func note(_ text: String) { seen.withLock { $0.append(text) } }

  func show(_ message: String, of program: String) -> Bool {
    note("\(program): \(message)")
    return true
  }

  func confirm(_ message: String, yes: String, no: String?, of _: String) -> Bool? {
    note("\(message) \(yes)/\(no ?? "")")
    return true
  }

  func answer(_ message: String, of _: String) -> String? {
    note(message)
    return "anna"
  }

  func secret(_ message: String, of _: String) -> SharedSecret? {
    note(message)
    guard let pin, let bytes = try? SecretBytes(copying: Array(pin.utf8).span) else { return nil }
    return SharedSecret(bytes)
  }
}
