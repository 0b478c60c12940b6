internal import FuekiSystem

/// Files that are one thing together: a database and its logs.
///
/// A database without its log lacks its last changes, and a log next to another database is applied to that one.
struct FileSets {
  /// Two files or more each, as their places in the plan.
  let sets: [[Int]]
  /// The databases, as their places in the plan, by those of the logs that have their names.
  private let databases: [Int: Int]

  init(_ files: [PlannedFile]) {
    let paths = files.map { $0.file.place ?? $0.file.path }
    var members: [[UInt8]: [Int]] = [:]
    for (index, owner) in PassingFiles.owners(of: paths).enumerated() {
      members[owner, default: []].append(index)
    }
    sets = members.values.filter { $0.count > 1 }
    let places = Dictionary(paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    var databases: [Int: Int] = [:]
    for (index, path) in paths.enumerated() {
      databases[index] = PassingFiles.database(ofLog: path).flatMap { places[$0] }
    }
    self.databases = databases
  }

  /// Whether others are logs of a file.
  func isDatabase(_ index: Int) -> Bool { databases.values.contains(index) }

  /// The databases of those of some files that are logs.
  func databases(of indices: Set<Int>) -> Set<Int> { Set(indices.compactMap { databases[$0] }) }

  /// Renames the logs of databases along with the databases.
  ///
  /// - Parameters:
  ///   - files: all of the plan, in its order.
  ///   - isMoved: whether a database gets another name.
  /// - Returns: the places of the logs in the plan.
  func follow(_ files: inout [PlannedFile], where isMoved: (PlannedFile) -> Bool) -> [Int] {
    var moved: [Int] = []
    for (index, database) in databases.sorted(by: { $0.key < $1.key }) {
      let owner = files[database]
      let path = files[index].file.place ?? files[index].file.path
      guard isMoved(owner), files[index].isWritten || files[index].fate == .present,
        let name = owner.names.last,
        let ending = PassingFiles.endings.first(where: { path.suffix($0.count) == $0[...] })
      else { continue }
      files[index].names = owner.names.dropLast() + [name + ending]
      files[index].path = owner.path + String(decoding: ending, as: UTF8.self)
      files[index].hold = nil
      files[index].fate = owner.fate
      moved.append(index)
    }
    return moved
  }
}

extension PlacePlan {
  /// Holds back files that are restored only together with a waiting one.
  mutating func holdTogether() {
    let sets = FileSets(files)
    for set in sets.sets where set.contains(where: { stops($0, in: sets) }) {
      for index in set where files[index].isWritten { files[index].fate = .waits(.together) }
    }
  }

  private func stops(_ index: Int, in sets: FileSets) -> Bool {
    switch files[index].fate {
    case .waits(.inTheWay), .waits(.inUse), .waits(.nameRefused), .waits(.noRoom), .waits(.together): true
    case .waits(.superseded), .place, .present, .beside, .replace: false
    // Without the database its logs are nothing; without a log that is damaged, the database may be something.
    case .waits: sets.isDatabase(index)
    }
  }
}
