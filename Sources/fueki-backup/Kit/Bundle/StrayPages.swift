internal import FuekiBackup
internal import FuekiSystem

/// Pages and programs in the archives' folder that a finder of the disk may open, and that `kit bundle` does not write.
enum StrayPages {
  /// Endings of names that desktops open as a page or run as a program.
  private static let endings = [
    ".app", ".appimage", ".bat", ".cmd", ".com", ".command", ".desktop", ".exe", ".hta", ".htm", ".html",
    ".jar",
    ".js", ".lnk", ".mht", ".msi", ".pif", ".ps1", ".run", ".scr", ".sh", ".svg", ".url", ".vbs", ".webloc",
    ".xhtml", ".xht", ".xml",
  ]

  /// Returns the paths of such entries, in order.
  ///
  /// Folders with a program of a version are judged as such.
  static func all(in target: Target) -> [String] {
    guard target.kind != .rclone, let entries = try? Directory.open(target.path).list() else { return [] }
    let programs = Set(ProgramBeside.all(in: target).map { PathParts($0.folder).name })
    return entries.map { PathText.text($0.name) }.filter { name in
      let lower = name.lowercased()
      guard name != StartHere.textName, name != StartHere.htmlName, !programs.contains(name) else {
        return false
      }
      return lower.hasPrefix(ProgramBeside.name) || lower.contains("start-here")
        || endings.contains(where: lower.hasSuffix)
    }.sorted().map { "\(target.path)/\($0)" }
  }
}
