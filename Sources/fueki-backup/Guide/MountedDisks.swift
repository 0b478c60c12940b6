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

/// The mounted file systems and their places, as listed by the kernel.
package struct MountTable {
  /// A mounted file system.
  package struct Mount: Equatable {
    /// The mount point.
    package let folder: String
    /// The file system's type, such as `ext4`.
    package let type: String
    /// The mounted device, such as `/dev/sdb1`.
    package let source: String
    /// The device's numbers, as major:minor.
    package let device: String

    /// File systems on disks of this machine.
    ///
    /// Every other type may be another machine's or a program's, such as nfs, cifs, 9p and each `fuse.` type.
    private static let diskTypes: Set<String> = [
      "ext2", "ext3", "ext4", "btrfs", "xfs", "f2fs", "jfs", "vfat", "msdos", "exfat", "ntfs", "ntfs3",
      "fuseblk", "hfsplus", "udf",
    ]

    /// Whether it is a disk's file system on a block device of this machine.
    package var isOfLocalDisk: Bool { Self.diskTypes.contains(type) && source.hasPrefix("/dev/") }
  }

  /// In the order in which they were mounted.
  package let mounts: [Mount]

  /// Reads the lines of `/proc/self/mountinfo`; a line of another form is passed over.
  package init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap(Self.mount)
  }

  private static func mount(_ line: Substring) -> Mount? {
    let fields = line.split(separator: " ")
    // Optional fields end with a dash.
    guard fields.count > 4, let end = fields.dropFirst(6).firstIndex(of: "-"), fields.count > end + 2 else {
      return nil
    }
    return Mount(
      folder: plain(fields[4]), type: String(fields[end + 1]), source: plain(fields[end + 2]),
      device: String(fields[2]))
  }

  /// The file system that holds a folder: the longest mount point that the folder's path begins with, component by
  /// component, and of two at the same place the later one, which covers the other.
  package func mount(holding path: String) -> Mount? {
    let parts = path.split(separator: "/")
    let holding = mounts.filter { parts.starts(with: $0.folder.split(separator: "/")) }
    var found: Mount?
    for mount in holding where mount.folder.utf8.count >= found?.folder.utf8.count ?? 0 { found = mount }
    return found
  }

  /// A path without the kernel's spelling of blanks and backslashes, three octal digits each.
  private static func plain(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
