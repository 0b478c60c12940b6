internal import FuekiSystem

/// A target and the folders below it that have archives.
package struct ArchiveFolders: Sendable {
  /// The folders with archives, each as a target; the target itself if there are none.
  package private(set) var targets: [Target] = []
  /// The folders that were not searched, because they are too deep or their names are no text.
  package private(set) var unsearched: [String] = []

  /// So many folders deep the search goes.
  package static let depth = 16

  private let root: Target
  /// The files of a remote, which was listed once; empty for a folder.
  private var items: [RcloneItem] = []

  /// Searches a target.
  ///
  /// Symbolic links are not followed. A folder that cannot be opened is among the targets, so that its fault is reported
  /// where it is read.
  ///
  /// - Throws: ``TargetError/noTarget(path:)``, and the reason that the target cannot be listed.
  package init(below target: Target, depth: Int = depth) throws {
    root = target
    if target.kind == .rclone {
      try search(RclonePath(target.path), depth)
    } else {
      let folder = try FolderStorage(path: target.path).open()
      try search(folder, target.path, depth)
    }
    if targets.isEmpty { targets = [target] }
  }

  private mutating func search(_ folder: borrowing Directory, _ path: String, _ depth: Int) throws {
    guard !Interruption.wasRequested else { throw Interrupted() }
    let entries = try folder.list()
    if entries.contains(where: { $0.kind == .file && Self.isArchive($0) }) { targets.append(below(path)) }
    for entry in entries where entry.kind == .directory {
      let child = path.hasSuffix("/") ? path : path + "/"
      guard let name = entry.text, depth > 0 else {
        unsearched.append(child + String(decoding: entry.name, as: UTF8.self))
        continue
      }
      do {
        try search(folder.openDirectory(name), child + name, depth - 1)
      } catch let error as SystemError where !error.isInterrupted {
        // It may have been removed since it was listed.
        if !error.isNotFound { targets.append(below(child + name)) }
      }
    }
  }

  /// Lists a remote once, for all of its folders.
  private mutating func search(_ folder: RclonePath, _ depth: Int) throws {
    let options = ["--recursive", "--max-depth", "\(depth + 2)", "--no-mimetype", "--no-modtime"]
    let items: [RcloneItem]
    do throws(SystemError) {
      items = try RcloneCommand("lsjson", options, on: folder).document([RcloneItem].self)
    } catch {
      guard error.isNotFound else { throw error }
      throw TargetError.noTarget(path: root.path)
    }
    var found: Set<ExactText> = []
    for item in items {
      let parts = item.below.split(separator: "/", omittingEmptySubsequences: false)
      if item.isFolder, parts.count > depth {
        unsearched.append(folder.child(parts.joined(separator: "/")).text)
      }
      guard !item.isFolder, parts.count <= depth + 1 else { continue }
      self.items.append(item)
      if SyncedName.claimsArchive(item.name) {
        found.insert(ExactText(parts.dropLast().joined(separator: "/")))
      }
    }
    targets = found.sorted().map { $0.isEmpty ? root : below(folder.child($0.text).text) }
  }

  /// Lists the archives in the folders.
  ///
  /// Those of a remote are read several at a time, whichever folder they are in.
  ///
  /// - Parameters:
  ///   - past: this machine's past activities.
  ///   - copies: receives a remote's small archives; nil to read the structures only.
  /// - Returns: the contents of each folder, in the order of ``targets``.
  /// - Throws: `Interrupted`. Other errors are in the listings.
  package func listings(past: [Activity], keeping copies: RemoteCopies? = nil) throws -> [TargetListing] {
    guard root.kind == .rclone else { return targets.map { TargetListing(of: $0, past: past) } }
    let storage = RcloneStorage(folder: try RclonePath(root.path), copies: copies)
    let entries = try storage.entries(
      of: RcloneListing(files: items, hasUnlistedFolders: !unsearched.isEmpty))
    let byFolder = Dictionary(grouping: entries) { Target(holding: $0.path).place }
    return targets.map { target in
      var entries = byFolder[target.place] ?? []
      Conflicts.mark(&entries)
      return TargetListing(target, entries: .success(NewestFirst.order(entries)))
    }
  }

  private func below(_ path: String) -> Target {
    guard ExactText(path) != ExactText(root.path) else { return root }
    var target = Target(path: path, kind: root.kind)
    target.isDeclaredAppendOnly = root.isDeclaredAppendOnly
    return target
  }

  private static func isArchive(_ entry: DirectoryEntry) -> Bool {
    SyncedName.claimsArchive(entry.text ?? String(decoding: entry.name, as: UTF8.self))
  }
}

extension Target {
  /// Whether the folder has no archive itself, but a folder in it has one; false on a remote, which is not searched.
  package var hasFoldersWithArchives: Bool {
    guard kind != .rclone, let found = try? ArchiveFolders(below: self, depth: 1) else { return false }
    return found.targets.contains { $0.place != place && $0.hasArchiveNames }
  }

  private var hasArchiveNames: Bool {
    ((try? Directory.open(path).list()) ?? []).contains { $0.text.map(SyncedName.claimsArchive) ?? false }
  }
}
