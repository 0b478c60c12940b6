internal import FuekiSystem
internal import FuekiWallet
package import FuekiCrypto

/// The files of an archive, as its parts tell of them.
struct PlaceSurvey: Sendable {
  private struct Entry: Sendable {
    var file: OriginalFile
    var parts: FileParts
    var partCount: UInt64 = 0
    var content = PlacedContent.other

    init(_ file: OriginalFile) {
      self.file = file
      parts = FileParts(total: file.byteCount)
    }
  }

  private var order: [OriginalFile.Key] = []
  private var largestPart: UInt64 = 0
  private var entries: [OriginalFile.Key: Entry] = [:]

  private let digests = SecretDigests()

  mutating func note(_ part: OriginalPart, _ content: Span<UInt8>) {
    if entries[part.key] == nil { order.append(part.key) }
    var entry = entries[part.key] ?? Entry(part.file)
    entries[part.key] = nil
    if part.offset == 0 { (entry.file, entry.content) = (part.file, PlacedContent(beginning: content)) }
    largestPart = max(largestPart, UInt64(content.count))
    let outcome = entry.parts.add(
      digests.digest(of: content), count: content.count, at: part.offset, total: part.file.byteCount)
    // An archive of version 0.2.0 may have a file twice, from its source and from a restored store.
    if outcome != .repeated { entry.partCount += 1 }
    entries[part.key] = entry
  }

  /// How many parts of the files of a section are not there, of files of which others are.
  func missingParts(of section: Section) -> UInt64 {
    entries.values.filter { $0.file.section == section && !$0.parts.cover }.reduce(0) {
      // All parts of a file but its last have one length, and so has every file's that has several.
      let (count, rest) = $1.file.byteCount.quotientAndRemainder(dividingBy: max(1, largestPart))
      let all = count + (rest > 0 ? 1 : 0)
      return $0 &+ (all > $1.partCount ? all - $1.partCount : 0)
    }
  }

  /// The files whose parts do not make a whole file.
  var broken: [OriginalFile] {
    order.compactMap { entries[$0] }.filter { !$0.parts.areWhole }.map(\.file)
  }

  var files: [OriginalFile] { order.compactMap { entries[$0]?.file } }

  /// Where each file goes; of several for one place the newest does.
  func planned(_ request: PlacingRequest, _ rootPath: String) -> [PlannedFile] {
    var taken: [[[UInt8]]: Int] = [:]
    var files: [PlannedFile] = []
    let gate = HomeGate(request)
    for entry in order.compactMap({ entries[$0] }) where request.wants(entry.file) {
      let place = PathText.text(entry.file.place ?? entry.file.path)
      var planned = PlannedFile(file: entry.file, fate: .place, path: place)
      // Cut out of another file, which is there itself.
      if entry.file.place == nil, entry.file.format == "fueki-app-key-share" { continue }
      defer { files.append(planned) }
      guard entry.parts.areWhole else {
        planned.fate = .waits(.incomplete)
        continue
      }
      switch request.root.destination(of: entry.file) {
      case .waits(let reason): planned.fate = .waits(reason)
      case .at(var names):
        switch gate.decision(on: names, below: rootPath, of: entry.content) {
        case .waits(let reason):
          planned.fate = .waits(reason)
          continue
        case .goes(let claim): planned.claim = claim
        }
        planned.hold = request.holds(entry.file)
        // No tool obeys the name under which it is held.
        if planned.hold != nil, planned.claim?.isOwn == false { planned.claim = nil }
        if planned.hold != nil, let name = names.popLast() {
          names.append(PlacedName.name(name, ending: HoldReason.suffix))
        }
        planned.names = names
        planned.path =
          "\(rootPath)/\(names.map(PathText.text).joined(separator: "/"))"
        if let other = taken[names] {
          let isNewer = entry.file.modifiedAt ?? .min > files[other].file.modifiedAt ?? .min
          if isNewer { files[other].fate = .waits(.superseded) } else { planned.fate = .waits(.superseded) }
          if !isNewer { continue }
        }
        taken[names] = files.count
      }
    }
    settleNesting(&files, taken)
    // A log under its own name would be applied to the database that the person has there.
    _ = FileSets(files).follow(&files) { $0.hold != nil && $0.fate == .place }
    return files
  }

  /// Where one file's place is a folder of another's, they are of two moments, and only the newer one goes back.
  private func settleNesting(_ files: inout [PlannedFile], _ taken: [[[UInt8]]: Int]) {
    for index in files.indices {
      for count in 0..<files[index].names.count {
        guard let above = taken[Array(files[index].names.prefix(count))], files[index].fate == .place,
          files[above].fate == .place
        else { continue }
        let isNewer = files[index].file.modifiedAt ?? .min > files[above].file.modifiedAt ?? .min
        files[isNewer ? above : index].fate = .waits(.superseded)
      }
    }
  }
}

/// The parts of one file as they are read: whether they make the whole file, and which were read before.
package struct FileParts: Sendable {
  /// How a part relates to those before it.
  package enum Outcome: Sendable {
    /// It has bytes that no part before it has.
    case new
    /// A part before it has the same bytes.
    case repeated
    /// It contradicts the file's length, or the bytes of a part before it.
    case contradicting
  }

  private struct Part {
    let count: Int
    let digest: Digest
  }

  private let total: UInt64
  private var covered = CoveredRanges()
  private var parts: [UInt64: Part] = [:]
  /// Whether no part contradicts another.
  private(set) var agree = true

  /// A file of a length, of which no part was read yet.
  package init(total: UInt64) { self.total = total }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - digest: of the part's bytes, from one function for all parts of the file.
  ///   - count: how many bytes it has.
  ///   - offset: where in the file it begins.
  ///   - total: the length that it states for the file.
  /// - Returns: how it relates to the parts before it.
  package mutating func add(_ digest: Digest, count: Int, at offset: UInt64, total: UInt64) -> Outcome {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(count))
    guard total == self.total, !overflow, end <= total else { return contradicting() }
    guard count > 0 else { return .new }
    if let known = parts[offset] {
      return known.count == count && known.digest == digest ? .repeated : contradicting()
    }
    guard covered.insert(offset..<end) else { return contradicting() }
    parts[offset] = Part(count: count, digest: digest)
    return .new
  }

  private mutating func contradicting() -> Outcome {
    agree = false
    return .contradicting
  }

  /// Whether every byte of the file was read.
  package var cover: Bool { covered.cover(total) }
  /// Whether the parts make the whole file.
  package var areWhole: Bool { agree && cover }
  /// The parts that have bytes, by their offsets.
  var inOrder: [(offset: UInt64, count: Int, digest: Digest)] {
    parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.count, $0.value.digest) }
  }
  /// How many separate ranges of the file were read.
  var rangeCount: Int { covered.count }
}

/// Which bytes of a file have been written.
struct CoveredRanges {
  private var ranges: [Range<UInt64>] = []

  /// The number of separate ranges.
  var count: Int { ranges.count }

  /// Adds a range; returns false and adds nothing if part of it is already covered.
  mutating func insert(_ range: Range<UInt64>) -> Bool {
    guard !range.isEmpty else { return true }
    let index = firstIndex(endingAtOrBehind: range.lowerBound)
    var merged = range
    var end = index
    if end < ranges.count, ranges[end].upperBound == range.lowerBound {
      merged = ranges[end].lowerBound..<merged.upperBound
      end += 1
    }
    if end < ranges.count {
      guard ranges[end].lowerBound >= range.upperBound else { return false }
      if ranges[end].lowerBound == range.upperBound {
        merged = merged.lowerBound..<ranges[end].upperBound
        end += 1
      }
    }
    ranges.replaceSubrange(index..<end, with: [merged])
    return true
  }

  /// The ranges are in order, and are halved until one is left.
  private func firstIndex(endingAtOrBehind offset: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = low + (high - low) / 2
      if ranges[middle].upperBound >= offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether every byte up to a length is covered.
  func cover(_ length: UInt64) -> Bool { length == 0 || ranges == [0..<length] }
}
