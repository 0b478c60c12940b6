/// The files that a command makes for a new key: the key's own, and the public one next to it.
struct NewKeyFiles {
  let path: String
  let publicPath: String

  /// - Parameters:
  ///   - path: the key's file; nil for the default.
  ///   - name: the default file's name, next to the configuration.
  /// - Throws: an error if one of the files exists.
  init(at path: String?, orNextToConfiguration name: String) throws {
    let path = try path ?? ConfigurationOptions.folder() + "/\(name)"
    (self.path, publicPath) = (path, SigningKeyPlace.publicFile(of: path))
    try OutputFile.checkFree(path)
    try OutputFile.checkFree(publicPath)
  }
}
