import FoundationEssentials

/// An app's own store: people, their conversations, and the messages in them, in one file.
struct ChatStore: Codable, Equatable, Sendable {
  struct Person: Codable, Equatable, Sendable {
    var id: UUID
    var name: String
    var email: String?
  }

  struct Conversation: Codable, Equatable, Sendable {
    var id: UUID
    var owner: UUID
    var title: String
    var guests: [UUID]
  }

  struct Message: Codable, Equatable, Sendable {
    var id: UUID
    var conversation: UUID
    /// Nil for a message of the app itself.
    var author: UUID?
    var text: String
    /// The messages that it quotes.
    var quoted: [UUID]
    /// Microseconds since 1970.
    var sent: Int64
  }

  var people: [Person] = []
  var conversations: [Conversation] = []
  var messages: [Message] = []
}

enum ExampleError: Error { case unknownRecord, storesDiffer, noPrice }

extension ChatStore {
  /// Reads the store in a folder.
  init(in folder: String) throws {
    self = try JSONDecoder().decode(ChatStore.self, from: Data(contentsOf: Self.file(in: folder)))
  }

  /// Saves the store in a folder, which is made if it does not exist.
  func save(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(self).write(to: Self.file(in: folder), options: .atomic)
  }

  private static func file(in folder: String) -> URL { URL(fileURLWithPath: folder + "/chat.json") }

  /// Two people, two conversations, and messages that quote earlier ones.
  static var sample: ChatStore {
    let (ada, grace) = (UUID(), UUID())
    var store = ChatStore(
      people: [
        Person(id: ada, name: "Ada", email: "ada@example.org"), Person(id: grace, name: "Grace", email: nil),
      ],
      conversations: [
        Conversation(id: UUID(), owner: ada, title: "The engine", guests: [grace]),
        Conversation(id: UUID(), owner: grace, title: "Notes to myself 📝", guests: []),
      ])
    for number in 0..<1000 {
      let conversation = store.conversations[number % 2]
      store.messages.append(
        Message(
          id: UUID(), conversation: conversation.id,
          author: number == 0 ? nil : number.isMultiple(of: 3) ? ada : grace,
          text: "Message \(number).\nÀ bientôt",
          quoted: number.isMultiple(of: 10) ? store.messages.suffix(2).map(\.id) : [],
          sent: 1_795_242_600_000_000 + Int64(number)))
    }
    return store
  }
}
