import FuekiArchive
import FuekiBackup
import FuekiWallet
import TestSupport

/// A history in which ids are missing, equal, empty or no ids at all, and messages are written in more than one way.
struct RandomHistory {
  var sections: [Section: [[UInt8]]] = [:]
  /// For receipts, the second field is the id.
  private static let changing: [Section] = [.receipts, .users, .threads, .messages]

  init(_ random: inout TestSupport.RandomSource) {
    sections[.transactions] = HistoryBench.ballast(7)
    for section in Self.changing where random.below(4) > 0 {
      sections[section] = (0..<random.below(60)).map { _ in Self.record(&random) }
    }
  }

  /// Adds, changes, removes, doubles and shuffles.
  mutating func change(_ random: inout TestSupport.RandomSource) {
    for section in Self.changing {
      var records = sections[section] ?? []
      for _ in 0..<random.below(12) {
        let place = records.isEmpty ? 0 : random.below(records.count)
        switch random.below(6) {
        case 0, 1: records.insert(Self.record(&random), at: place)
        case 2 where !records.isEmpty: records[place] = Self.record(&random)
        case 3 where !records.isEmpty: records.remove(at: place)
        case 4 where !records.isEmpty: records.append(records[place])
        case 5 where !records.isEmpty: records.append(records.remove(at: place))
        default: continue
        }
      }
      if random.below(12) == 0 { records = [] }
      sections[section] = records
    }
  }

  private static func record(_ random: inout TestSupport.RandomSource) -> [UInt8] {
    let number = UInt8(1 + random.below(2))
    let id = HistoryBench.field(number, Array("id \(random.below(9))".utf8))
    let text = HistoryBench.field(4, Array("text \(random.below(3))".utf8))
    switch random.below(10) {
    case 0: return text
    case 1: return HistoryBench.field(1, []) + text
    case 2: return [0xFF, UInt8(random.below(4))]
    case 3: return []
    case 4: return id + id + text
    // The same field, its length in a byte more than it needs: another message, with the same id.
    case 5: return [id[0], id[1] | 0x80, 0] + id.dropFirst(2) + text
    case 6: return text + id + [5 << 3, UInt8(random.below(3))]
    default: return id + text
    }
  }
}

extension TestSupport.RandomSource {
  fileprivate mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
