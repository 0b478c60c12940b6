internal import FuekiSystem

/// A path in whose parts `*` stands for any characters, as `[[source]]` and the table of programs have it.
///
/// A `*` at the beginning of a name matches no hidden one. Links are followed: people keep a program's folder on another
/// disk.
public struct PlacePattern: Sendable {
  private let parts: [String]

  /// A pattern of a whole path, or of one below a folder.
  public init(_ path: String) { parts = path.split(separator: "/").map(String.init) }

  /// Whether the path has parts that stand for several names.
  public static func isPattern(_ path: String) -> Bool { path.contains("*") }

  /// What is there of a whole path's pattern.
  ///
  /// - Parameter unreadable: gets the folders that could not be looked into.
  /// - Returns: the paths, in the order of their names.
  public func paths(unreadable: inout Set<String>) -> [String] { paths(below: "", unreadable: &unreadable) }

  /// What is there below a folder, in order.
  public func paths(below root: String, unreadable: inout Set<String>) -> [String] {
    var found = [root]
    for part in parts {
      guard part.contains("*") else {
        found = found.map { "\($0)/\(part)" }
        continue
      }
      let wanted = NamePattern(part)
      found = found.flatMap { folder in
        Self.names(in: folder, &unreadable).filter(wanted.matches).map { "\(folder)/\($0)" }
      }
    }
    return found.filter { PathStatus.of($0, &unreadable) != nil }
  }

  private static func names(in folder: String, _ unreadable: inout Set<String>) -> [String] {
    let folder = folder.isEmpty ? "/" : folder
    // A folder that is not there is not even opened: of most programs there is none.
    guard PathStatus.of(folder, &unreadable)?.kind == .directory else { return [] }
    do {
      return try Directory.open(folder).list().compactMap(\.text)
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
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether a name is one of those.
  public func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
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
