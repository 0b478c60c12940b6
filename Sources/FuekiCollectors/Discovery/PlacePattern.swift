internal import FuekiSystem

/// A path in whose parts `*` stands for any characters, as `[[source]]` and the table of programs have it.
///
/// A `*` at the beginning of a name matches no hidden one. Links are followed: people keep a program's folder on another
/// disk. A part `**` before the last stands for any number of folders, of which none is a link: those could lead round in a circle.
public struct PlacePattern: Sendable {
  private static let star = UInt8(ascii: "*")
  private static let anyFolders = [star, star]
  /// How many folders `**` goes into one another.
  private static let depth = 16

  private let parts: [[UInt8]]

  /// A pattern of a whole path, or of one below a folder.
  public init(_ path: String) {
    parts = path.pathBytes.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// Whether the path has parts that stand for several names.
  public static func isPattern(_ path: String) -> Bool { path.utf8.contains(star) }

  /// What is there of a whole path's pattern.
  ///
  /// - Parameter unreadable: gets the folders that could not be looked into.
  /// - Returns: the paths, in the order of their names.
  public func paths(unreadable: inout Set<String>) -> [String] { paths(below: "", unreadable: &unreadable) }

  /// What is there below a folder, in order.
  public func paths(below root: String, unreadable: inout Set<String>) -> [String] {
    var found = [root]
    for (index, part) in parts.enumerated() {
      guard part.contains(Self.star) else {
        found = found.map { "\($0)/\(PathText.text(part))" }
        continue
      }
      guard part != Self.anyFolders || index == parts.count - 1 else {
        found = found.flatMap { Self.folders(below: $0, Self.depth, &unreadable) }
        continue
      }
      let wanted = NamePattern(part)
      found = found.flatMap { folder in
        Self.entries(of: folder, &unreadable).map(\.name).filter(wanted.matches)
          .map { "\(folder)/\(PathText.text($0))" }
      }
    }
    return found.filter { PathStatus.of($0, &unreadable) != nil }
  }

  /// Whether names, from where the pattern begins, lead to one of its paths or below one.
  func covers(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { _ in true } }

  /// Whether names, from where the pattern begins, lead to one of its paths.
  func matches(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { $0.isEmpty } }

  /// Whether names match the parts one by one, and `rest` takes the names that are left.
  private static func match(
    _ parts: ArraySlice<[UInt8]>, _ names: ArraySlice<[UInt8]>, rest: (ArraySlice<[UInt8]>) -> Bool
  ) -> Bool {
    guard let part = parts.first else { return rest(names) }
    if part == anyFolders, parts.count > 1, match(parts.dropFirst(), names, rest: rest) { return true }
    guard let name = names.first else { return false }
    guard part != anyFolders || parts.count == 1 else {
      return name.first != UInt8(ascii: ".") && match(parts, names.dropFirst(), rest: rest)
    }
    return NamePattern(part).matches(name) && match(parts.dropFirst(), names.dropFirst(), rest: rest)
  }

  /// A folder, and all in it at whatever depth.
  private static func folders(
    below folder: String, _ depth: Int, _ unreadable: inout Set<String>
  ) -> [String] {
    guard depth > 0 else { return [folder] }
    let inner = entries(of: folder, &unreadable).filter { entry in
      entry.kind == .directory && entry.name.first != UInt8(ascii: ".")
    }
    return [folder]
      + inner.flatMap { folders(below: "\(folder)/\(PathText.text($0.name))", depth - 1, &unreadable) }
  }

  private static func entries(of folder: String, _ unreadable: inout Set<String>) -> [DirectoryEntry] {
    let folder = folder.isEmpty ? "/" : folder
    // A folder that is not there is not even opened: of most programs there is none.
    guard PathStatus.of(folder, &unreadable)?.kind == .directory else { return [] }
    do {
      return try Directory.open(folder).list()
    } catch {
      if !error.isNotFound { unreadable.insert(folder) }
      return []
    }
  }
}

/// A name with `*` for any characters.
public struct NamePattern: Sendable {
  private let bytes: [UInt8]
  private static let star = UInt8(ascii: "*")

  /// A pattern of one name.
  public init(_ text: String) { bytes = text.pathBytes }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a name is one of those.
  public func matches(_ name: String) -> Bool { matches(name.pathBytes) }

  func matches(_ name: [UInt8]) -> Bool {
    if name.first == UInt8(ascii: "."), bytes.first == Self.star { return false }
    // Where the last star was, and how much of the name it stands for.
    var (place, index) = (0, 0)
    var (star, taken) = (Int?.none, 0)
    while index < name.count {
      if place < bytes.count, bytes[place] == Self.star {
        (star, taken) = (place, index)
        place += 1
      } else if place < bytes.count, bytes[place] == name[index] {
        place += 1
        index += 1
      } else if let star {
        taken += 1
        (place, index) = (star + 1, taken)
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == Self.star }
  }
}

/// What is at a path, links followed.
enum PathStatus {
  /// Nil where nothing is there, or it cannot be told.
  static func of(_ path: String, _ unreadable: inout Set<String>) -> FileStatus? {
    do {
      return try FileStatus.of(path)
    } catch {
      // A link that leads nowhere is there all the same: browsers lock their profiles with one.
      if error.isNotFound { return try? FileStatus.of(path, symbolicLinks: .refuse) }
      unreadable.insert(PathParts(CurrentProcess.absolutePath(of: path)).folder)
      return nil
    }
  }
}
