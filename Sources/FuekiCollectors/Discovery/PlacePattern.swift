internal import FuekiSystem

/// A path with `*` for any characters in its components, as in `[[source]]` and the table of programs.
///
/// A leading `*` does not match hidden names. Links are followed, because people keep a program's directory
/// on another disk. A component `**` before the last matches any number of directories, but no links, which
/// could form a cycle.
public struct PlacePattern: Sendable {
  private static let star = UInt8(ascii: "*")
  private static let anyFolders = [star, star]
  /// The limit of nested directories for `**`.
  private static let depth = 16

  private let parts: [[UInt8]]

  /// Creates a pattern for an absolute path, or for one relative to a directory.
  public init(_ path: String) {
    parts = path.pathBytes.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// Whether a path has wildcards.
  public static func isPattern(_ path: String) -> Bool { path.utf8.contains(star) }

  /// Returns the existing paths that match an absolute pattern.
  ///
  /// - Parameter unreadable: receives the directories that could not be read.
  /// - Returns: the paths, ordered by name.
  public func paths(unreadable: inout Set<String>) -> [String] { paths(below: "", unreadable: &unreadable) }

  /// Returns the matching paths below a directory, in order.
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

  /// Whether components match the pattern or are below a match.
  func covers(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { _ in true } }

  /// Whether components match the pattern.
  func matches(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { $0.isEmpty } }

  /// Whether components match the parts one by one, and `rest` accepts the remaining ones.
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

  /// Returns a directory and all directories below it.
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
    // A missing directory is not opened: most programs are not installed.
    guard PathStatus.of(folder, &unreadable)?.kind == .directory else { return [] }
    do {
      return try Directory.open(folder).list()
    } catch {
      if !error.isNotFound { unreadable.insert(folder) }
      return []
    }
  }
}

/// The status of a path, with links followed.
enum PathStatus {
  /// Nil if there is no such file, or its status is unknown.
  static func of(_ path: String, _ unreadable: inout Set<String>) -> FileStatus? {
    do {
      return try FileStatus.of(path)
    } catch {
      // A dangling link counts as existing: browsers lock their profiles with one.
      if error.isNotFound { return try? FileStatus.of(path, symbolicLinks: .refuse) }
      unreadable.insert(PathParts(CurrentProcess.absolutePath(of: path)).folder)
      return nil
    }
  }
}
