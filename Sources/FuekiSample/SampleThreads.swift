internal import FoundationEssentials
internal import FuekiWallet

/// The sample's users, threads, and messages that cite each other.
struct SampleThreads {
  let users: [ChatUser]
  let threads: [ChatThread]
  let messages: [ChatMessage]

  private static let titles = ["Holiday fund", "Who pays the node?", "🎂 Saturday"]
  private static let lines = [
    "Sent it just now.", "Which network was that? 🤔", "The usual one. Should be there in ten minutes.",
    "Danke! ❤️",
    "It is still pending here.", "See above.", "مرحبا", "I kept the receipt:\n\t0x9f…", "",
  ]

  init(seed: UInt64) {
    var random = SampleRandom(seed: seed, place: 0x7EAD)
    func id() -> Data { random.packed(form: PackedText.Form.upperCaseUUID.rawValue, 16) }
    let users = ["Me", "Aiko", "Zoë", "Dani"].enumerated().map { index, name in
      var user = ChatUser()
      user.id = id()
      user.name = name
      if index > 0 { user.email = "\(["", "aiko", "zoe", "dani"][index])@example.org" }
      user.createdAt = SampleTime.start
      return user
    }
    let threads = Self.titles.enumerated().map { index, title in
      var thread = ChatThread()
      thread.id = id()
      thread.ownerID = users[index].id
      thread.title = title
      thread.coAuthorIds = users.filter { $0.id != users[index].id }.prefix(index + 1).map(\.id)
      thread.createdAt = SampleTime.of(index, among: Self.titles.count)
      thread.updatedAt = SampleTime.end
      return thread
    }
    var messages: [ChatMessage] = []
    for place in 0..<120 {
      var message = ChatMessage()
      message.id = id()
      message.threadID = threads[place % threads.count].id
      // A message has no author if the author was deleted.
      if place % 31 != 30 { message.authorID = users[place % users.count].id }
      message.text = Self.lines[place % Self.lines.count]
      if place % 5 == 4 { message.citationIds = [messages[place - 3].id, messages[place / 2].id] }
      message.createdAt = SampleTime.of(place, among: 120) + 123_456
      messages.append(message)
    }
    self.users = users
    self.threads = threads
    self.messages = messages
  }
}
