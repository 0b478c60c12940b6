internal import FuekiWallet

extension OriginalFile {
  /// The text that chooses the file.
  var item: String {
    Holding.file(source: source, path: path, place: place, program: program, in: section).item
  }
}

extension [OriginalFile] {
  /// The files of an archive that texts choose, and the logs of the databases among them.
  ///
  /// - Parameter items: the things, as ``Holding/item`` has them.
  /// - Returns: the files, in the archive's order.
  func chosen(by items: Set<String>) -> [OriginalFile] {
    let own = filter { items.contains($0.item) }
    let paths = Set(own.map { $0.place ?? $0.path })
    let folders = Set(paths.compactMap(PassingFiles.ownFolder))
    // A database without its log may lack the last changes.
    return filter { file in
      items.contains(file.item)
        || PassingFiles.belongs(file.place ?? file.path, among: paths, in: folders)
    }
  }
}
