import FuekiSystem
import TestSupport

/// The messages of `records.proto`, parsed from its text.
struct RecordSchemaText {
  struct Line {
    let type: String
    let name: String
    /// "", "optional", "repeated" or "oneof".
    let presence: String
    let comment: String
  }

  private(set) var messages: [String: [UInt32: Line]] = [:]

  init() throws {
    let path = "\(SourceTree.path)/Sources/FuekiWallet/Schema/records.proto"
    let text = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
    var message = ""
    var isChoice = false
    for line in text.split(separator: "\n") where !line.hasPrefix("//") {
      let parts = line.split(separator: "//", maxSplits: 1)
      let words = (parts.first ?? "").split { " ;=".contains($0) }.map(String.init)
      guard let first = words.first else { continue }
      if first == "message" {
        message = words[1]
      } else if first == "oneof" {
        isChoice = true
      } else if first == "}" {
        if !isChoice { message = "" }
        isChoice = false
      } else if !message.isEmpty, let last = words.last, let number = UInt32(last) {
        let presence = ["optional", "repeated"].contains(first) ? first : ""
        let rest = presence.isEmpty ? words[...] : words.dropFirst()
        let comment = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        messages[message, default: [:]][number] = Line(
          type: rest[rest.startIndex], name: rest[rest.startIndex + 1],
          presence: isChoice ? "oneof" : presence,
          comment: String(comment))
      }
    }
  }
}
