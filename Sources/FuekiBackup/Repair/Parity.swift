internal import FuekiArchive
internal import FuekiSystem

/// The recovery files next to this machine's archives.
public enum Parity {
  /// The recovery files of the archive at a path; none of one on a remote.
  public static func files(besideArchive path: String) -> [ParityFile] { set(besideArchive: path).files }

  /// Returns the recovery files of the archive at a path, and the archive's name in them.
  ///
  /// A browser adds a number to a second copy, `NAME (1).fueki`: its recovery files then use the name without it.
  static func set(besideArchive path: String) -> (archiveName: String, files: [ParityFile]) {
    let parts = PathParts(path)
    guard !RclonePath.isOne(path) else { return (parts.name, []) }
    for name in [parts.name, ParityName.withoutNumber(parts.name)].compactMap(\.self) {
      let files = (try? ParityFile.all(in: Directory.open(parts.folder), of: name)) ?? []
      if !files.isEmpty { return (name, files) }
    }
    return (parts.name, [])
  }

  /// Returns the same without files that are too long to be recovery files of the archive.
  ///
  /// Anyone who can write to the folder can put a file there that takes no room and has any length.
  static func usableSet(besideArchive path: String) -> (archiveName: String, files: [ParityFile]) {
    let (archiveName, files) = set(besideArchive: path)
    guard !files.isEmpty else { return (archiveName, files) }
    let whole = try? StoredArchive(reading: ArchiveFile.open(at: path, symbolicLinks: .refuse))
    let limit = Limits.archiveBytes.upperBound
    let most = ParityAmount.mostBytes(of: min(whole?.statedByteCount ?? limit, limit))
    return (archiveName, files.filter { $0.byteCount <= most })
  }

  /// Whether a folder contains any recovery files.
  public static func isAny(in folder: String) -> Bool {
    let names = (try? Directory.open(folder).list().compactMap(\.text)) ?? []
    return names.contains { ParityName.isOne($0) }
  }

  /// The programs that recovery needs; empty if one is not installed.
  public static var programs: [String] { PAR2.programs ?? [] }
}

/// The amount of an archive that can be lost and repaired, in hundredths of its length.
public struct ParityAmount: Equatable, Sendable {
  /// 0…100; 0 makes no recovery files.
  public let percent: Int

  /// Parses a whole number and `%`, from `0%` to `100%`; nil for anything else.
  public init?(_ text: String) {
    let digits = text.dropLast()
    guard text.last == "%", 1...3 ~= digits.count, digits.allSatisfy({ "0"..."9" ~= $0 }),
      let percent = Int(digits), 0...100 ~= percent
    else { return nil }
    self.percent = percent
  }

  /// The most bytes that all recovery files of an archive may have: as many as the archive, and what describes them.
  static func mostBytes(of byteCount: UInt64) -> UInt64 { 2 * byteCount + (16 << 20) }

  /// The blocks of an archive, and the number of recovery blocks for them.
  struct Blocks: Equatable {
    let byteCount: UInt64
    let recovery: UInt64
  }

  /// Small blocks repair scattered damage with little data, but many of them take long to compute.
  private static let mostBlocks: UInt64 = 2000
  /// A sector of most disks, and a page of most others.
  private static let leastBlockBytes: UInt64 = 4096

  /// How an archive of this length is divided.
  func blocks(of byteCount: UInt64) -> Blocks {
    let even = (byteCount + Self.mostBlocks - 1) / Self.mostBlocks
    let length = max(Self.leastBlockBytes, (even + 3) / 4 * 4)
    let count = (byteCount + length - 1) / length
    return Blocks(byteCount: length, recovery: (count * UInt64(percent) + 99) / 100)
  }
}

/// A recovery file next to an archive.
public struct ParityFile: Hashable, Sendable {
  /// The file's name.
  public let name: String
  /// The file's length.
  public let byteCount: UInt64
  /// The name that it was made under, which another program may have given a number since.
  public let ownName: String

  init(name: String, byteCount: UInt64, ownName: String? = nil) {
    self.name = name
    self.byteCount = byteCount
    self.ownName = ownName ?? name
  }

  private var hasOwnName: Bool { ExactText(name) == ExactText(ownName) }

  /// Returns the recovery files in a folder for an archive's name, with the index first.
  ///
  /// A numbered file counts if the unnumbered one is missing.
  static func all(
    in directory: borrowing Directory, of archive: String
  ) throws(SystemError) -> [ParityFile] {
    var files: [ParityFile] = []
    var numbered: [ParityFile] = []
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text else { continue }
      let ownName = ParityName.withoutNumber(name) ?? name
      guard ParityName.isOne(ownName, of: archive) else { continue }
      let file = ParityFile(name: name, byteCount: try directory.status(of: name).size, ownName: ownName)
      if file.hasOwnName { files.append(file) } else { numbered.append(file) }
    }
    for file in numbered where !files.contains(where: { ExactText($0.ownName) == ExactText(file.ownName) }) {
      files.append(file)
    }
    return files.sorted { $0.ownName < $1.ownName }
  }
}

extension TargetEntry {
  /// Assigns to each archive the recovery files named after it.
  static func give(_ files: [ParityFile], to entries: inout [TargetEntry]) {
    guard !files.isEmpty else { return }
    for index in entries.indices {
      entries[index].parity = files.filter { ParityName.isOne($0.name, of: entries[index].name) }
    }
  }

  /// The lengths of the archive and of its recovery files.
  public var byteCountWithParity: UInt64 { parity.reduce(byteCount) { $0 + $1.byteCount } }
}

/// The recovery files of an archive, made before it is published, on their way into the targets.
struct MadeParity {
  let folder: ParityFolder
  let files: [ParityFile]

  /// Makes the recovery files of an archive that was written and read back.
  ///
  /// - Parameters:
  ///   - amount: the amount that may be lost.
  ///   - path: the archive's file on this machine, which is only read.
  ///   - name: the archive's future name, which the recovery files contain.
  ///   - state: holds the folder for the work.
  ///   - progress: receives hundredths. An error that it throws ends the work.
  /// - Throws: ``MendError``, `SystemError`, and errors from `progress`.
  init(
    _ amount: ParityAmount, of path: String, name: String, state: LockedState,
    progress: (Int) throws -> Void
  ) throws {
    let folder = try ParityFolder(in: state)
    try folder.link(path, as: name)
    let byteCount = try ArchiveFile.open(at: path).byteCount()
    let blocks = amount.blocks(of: byteCount)
    let options = ["-s\(blocks.byteCount)", "-c\(blocks.recovery)", "-n1"]
    let outcome = try PAR2(in: folder, byteCount: byteCount).run(
      "create", options, on: ["\(name).par2", name], progress: progress)
    files = try folder.parity(of: name)
    guard outcome.status == 0, files.count > 1 else { throw MendError.programFailed(said: outcome.output) }
    self.folder = folder
  }
}

extension FolderStorage {
  func put(_ parity: MadeParity, machine: String) throws {
    let directory = try open()
    let made = try parity.folder.open()
    for file in parity.files {
      guard !isAppendOnly else {
        let copy = try directory.createFile(file.name)
        try made.copyBytes(of: file.name, to: copy)
        try copy.sync()
        continue
      }
      let temporary = TemporaryName.make(for: machine)
      let copy = try directory.createFile(temporary)
      do {
        try made.copyBytes(of: file.name, to: copy)
        do { try copy.sync() } catch let error where error.isUnsupported {}
        try directory.rename(temporary, to: file.name, replacing: false)
      } catch {
        try? directory.remove(temporary)
        throw error
      }
    }
    try directory.sync()
  }
}

extension RcloneStorage {
  func put(_ parity: MadeParity, machine: String) throws {
    let taken = Set(try list().map { ExactText($0.name) })
    for file in parity.files {
      let place = folder.child(file.name)
      guard !taken.contains(ExactText(file.name)) else {
        throw SystemError(.alreadyThere, call: "rclone copyto", path: place.text)
      }
      let source = "\(parity.folder.path)/\(file.name)"
      var command = RcloneCommand(
        "copyto", ["--ignore-times"], places: [source, place.place], subject: place)
      command.patience = 5 * command.patience + Double(file.byteCount) / 16_384
      _ = try command.output()
    }
    let items = try list()
    for file in parity.files {
      guard
        items.contains(where: {
          ExactText($0.name) == ExactText(file.name) && UInt64(clamping: $0.size) == file.byteCount
        })
      else { throw TargetError.readBackDiffers(path: folder.child(file.name).text) }
    }
  }
}

extension Directory {
  /// Copies a file of this folder into another, from its start.
  borrowing func copyBytes(of name: String, to copy: borrowing File) throws(SystemError) {
    let source = try openFile(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var position: UInt64 = 0
    while true {
      let count = try source.pread(into: &buffer, at: position)
      guard count > 0 else { return }
      try copy.pwriteAll(buffer.span.extracting(0..<count), at: position)
      position += UInt64(count)
    }
  }
}
