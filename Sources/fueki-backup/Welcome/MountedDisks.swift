internal import FuekiSystem

/// The user's plugged-in disks, by where they are mounted.
enum MountedDisks {
  private static let places = ["/media/", "/run/media/", "/mnt/"]
  private static let mostBytes = 1 << 20

  /// The folders, in their order; empty if the system does not list them.
  static var folders: [String] {
    let folders = table.mounts.map(\.folder)
    return Set(folders.filter { folder in folder == "/mnt" || places.contains(where: folder.hasPrefix) })
      .sorted()
  }

  /// Whether a folder is on a disk that was plugged in.
  ///
  /// - Parameter path: the folder's, from the root and without links.
  /// - Returns: false also if the system does not say.
  static func isOnDisk(_ path: String) -> Bool {
    guard let mount = table.mount(holding: path), mount.isOfLocalDisk else { return false }
    return PluggedDisk.isOne(mount.device)
  }

  private static var table: MountTable {
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    var span = bytes.mutableSpan
    guard let file = try? File.open("/proc/self/mountinfo"), let count = try? file.read(into: &span) else {
      return MountTable("")
    }
    return MountTable(String(decoding: bytes[..<count], as: UTF8.self))
  }
}

/// A disk that can be unplugged, as the kernel describes its devices.
private enum PluggedDisk {
  private static let mostLayers = 4

  /// Whether a device, written as major:minor, is a part of such a disk, also below an encrypted volume.
  static func isOne(_ device: String, layers: Int = mostLayers) -> Bool {
    let link = "/sys/dev/block/\(device)"
    let path = CurrentProcess.absolutePath(of: link)
    // No device, or a file system's own number.
    guard layers > 0, path != link else { return false }
    let parts = path.split(separator: "/")
    if parts.contains(where: { $0.hasPrefix("usb") || $0.hasPrefix("mmc") }) { return true }
    for folder in [path, PathParts(path).folder] where isMarked(folder) { return true }
    let below = (try? Directory.open("\(path)/slaves").list().compactMap(\.text)) ?? []
    let numbers = below.compactMap { number(of: "\(path)/slaves/\($0)") }
    return !below.isEmpty && numbers.count == below.count
      && numbers.allSatisfy { isOne($0, layers: layers - 1) }
  }

  private static func isMarked(_ folder: String) -> Bool { text(of: "\(folder)/removable") == "1" }

  private static func number(of folder: String) -> String? { text(of: "\(folder)/dev") }

  private static func text(of path: String) -> String? {
    guard let bytes = try? File.open(path).readAll(limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
