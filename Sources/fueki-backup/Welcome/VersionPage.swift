internal import FuekiArchive
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// `--version -v`: the program, and all that it is built on.
enum VersionPage {
  /// Returns whether exactly these two arguments were given.
  static func isMeant(by arguments: [String]) -> Bool {
    guard arguments.count == 2, arguments.contains("--version") else { return false }
    return arguments.contains("-v") || arguments.contains("--verbose")
  }

  static func print() {
    let console = Console(isJSON: false, isQuiet: false, isVerbose: true)
    console.line(Program.name)
    console.line("archive format: version 1")
    console.line("libsodium: \(CryptoLibraries.sodium)")
    console.line("OpenSSL: \(CryptoLibraries.openSSL)")
    console.line("zstd: \(ZstdLibrary.version)")
    console.line("SQLite: \((try? StoreLibrary.version()) ?? "its version cannot be read")")
    console.line(
      "sandbox: \(Sandbox.version.map { "Landlock \($0)" } ?? "none: this kernel has no Landlock")")
  }
}
