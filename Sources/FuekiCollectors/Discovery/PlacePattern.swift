internal import FuekiBackup
public import FuekiSystem

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
  public func paths(unreadable: inout Set<ExactText>) -> [String] {
    paths(below: "", unreadable: &unreadable)
  }

  /// Returns the matching paths below a directory, in order.
  public func paths(below root: String, unreadable: inout Set<ExactText>) -> [String] {
    var found = [root]
    for (index, part) in parts.enumerated() {
      guard part.contains(Self.star) else {
        found = found.map { "\($0)/\(PathText.text(part))" }
        continue
      }
      guard part != Self.anyFolders || index == parts.count - 1 else {
        found = found.flatMap { Self.folders(below: $0, &unreadable) }
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
  private static func folders(below folder: String, _ unreadable: inout Set<ExactText>) -> [String] {
    var found = [folder]
    guard let directory = open(folder, &unreadable) else { return found }
    let name = { (path: [[UInt8]]) in ([folder] + path.map { PathText.text($0) }).joined(separator: "/") }
    do {
      try directory.walk { _, entry, path in
        guard entry.kind == .directory, entry.name.first != UInt8(ascii: ".") else { return false }
        found.append(name(path))
        return path.count < depth
      } unopened: { path, error in
        if !error.isNotFound { unreadable.insert(ExactText(name(path))) }
      }
    } catch is Interrupted {
      // The search ends with what it has.
    } catch {
      unreadable.insert(ExactText(folder))
    }
    return found
  }

  private static func entries(of folder: String, _ unreadable: inout Set<ExactText>) -> [DirectoryEntry] {
    guard let directory = open(folder, &unreadable) else { return [] }
    do {
      return try directory.list()
    } catch {
      unreadable.insert(ExactText(folder))
      return []
    }
  }

  /// Opens a directory; nil if there is none, or it cannot be opened.
  private static func open(_ path: String, _ unreadable: inout Set<ExactText>) -> Directory? {
    let path = path.isEmpty ? "/" : path
    // A missing directory is not opened: most programs are not installed.
    guard PathStatus.of(path, &unreadable)?.kind == .directory else { return nil }
    do {
      return try Directory.open(path)
    } catch {
      if !error.isNotFound { unreadable.insert(ExactText(path)) }
      return nil
    }
  }
}

/// The status of a path, with links followed.
enum PathStatus {
  /// Nil if there is no such file, or its status is unknown.
  static func of(_ path: String, _ unreadable: inout Set<ExactText>) -> FileStatus? {
    do {
      return try FileStatus.of(path)
    } catch {
      // A dangling link counts as existing: browsers lock their profiles with one.
      if error.isNotFound { return try? FileStatus.of(path, symbolicLinks: .refuse) }
      unreadable.insert(ExactText(PathParts(CurrentProcess.absolutePath(of: path)).folder))
      return nil
    }
  }
}
