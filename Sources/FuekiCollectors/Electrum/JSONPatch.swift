internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The changes that Electrum appends to its file instead of rewriting it; see RFC 6902.
struct JSONPatch {
  /// The number of list elements moved by insertions and removals.
  private(set) var movedElements = 0

  /// Applies a change: `add`, `replace` or `remove`, the only ones that Electrum writes.
  ///
  /// - Returns: whether the change fits the value.
  mutating func apply(_ patch: GuardedValue, to value: inout GuardedValue) -> Bool {
    guard let operation = patch.member("op")?.string, let path = patch.member("path")?.string else {
      return false
    }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    guard !steps.isEmpty, steps.count <= JSONOutline.depthLimit else { return false }
    switch operation {
    case "add", "replace":
      guard let new = patch.member("value") else { return false }
      return change(&value, steps[...], to: new, inserts: operation == "add")
    case "remove": return change(&value, steps[...], to: nil, inserts: false)
    default: return false
    }
  }

  private mutating func change(
    _ value: inout GuardedValue, _ steps: ArraySlice<String>, to new: GuardedValue?, inserts: Bool
  ) -> Bool {
    guard let step = steps.first else { return false }
    let rest = steps.dropFirst()
    switch value.kind {
    case .object:
      let name = ExactText(step)
      var members = value.takeMembers()
      defer { value.content = .object(members) }
      guard rest.isEmpty else {
        // Removed and reinserted, so that it is changed in place.
        guard var child = members.removeValue(forKey: name) else { return false }
        defer { members[name] = child }
        return change(&child, rest, to: new, inserts: inserts)
      }
      guard new != nil || members[name] != nil else { return false }
      members[name] = new
      return true
    case .array:
      var elements = value.takeElements()
      defer { value.content = .array(elements) }
      let index = step == "-" ? elements.count : Int(step) ?? -1
      guard rest.isEmpty else {
        guard elements.indices.contains(index) else { return false }
        return change(&elements[index], rest, to: new, inserts: inserts)
      }
      if inserts, let new, 0...elements.count ~= index {
        movedElements += elements.count - index
        elements.insert(new, at: index)
        return true
      }
      guard elements.indices.contains(index) else { return false }
      if let new {
        elements[index] = new
      } else {
        elements.remove(at: index)
        movedElements += elements.count - index
      }
      return true
    default: return false
    }
  }
}

extension GuardedValue {
  fileprivate mutating func takeMembers() -> [ExactText: GuardedValue] {
    if case .object(let members) = content {
      content = .array([])
      return members
    }
    return Dictionary(members.map { (ExactText($0.name), $0.value) }) { $1 }
  }

  fileprivate mutating func takeElements() -> [GuardedValue] {
    let elements = self.elements
    content = .object([:])
    return elements
  }
}
