internal import FuekiSources
internal import FuekiSystem

/// Names of files that hold data, which nothing runs or obeys.
///
/// Endings are on a list of formats of documents, keys and databases: a list of those that can hold commands is never
/// complete. A name without an ending is refused where tools look for commands under such names.
enum KeptNames {
  /// Whether a file of the user's own folders may be put back.
  ///
  /// - Returns: whether its name is one of data, and no directory is one of tools.
  static func allow(_ names: [[UInt8]]) -> Bool {
    guard let name = names.last, !names.dropLast().contains(where: isOfTools) else { return false }
    return isData(name) || exports.contains { $0.matches(name) }
  }

  /// Whether a file has the ending of a format of data, or none and not a name that tools look for.
  ///
  /// A database's journals and logs are data as the database is.
  static func isData(_ name: [UInt8]) -> Bool {
    let own = PassingFiles.database(ofLog: name) ?? name
    let lower = String(decoding: own, as: UTF8.self).lowercased()
    guard !toolNames.contains(lower) else { return false }
    guard let ending = ending(of: lower) else {
      return !toolEndings.contains { lower.utf8.reversed().starts(with: $0.utf8.reversed()) }
    }
    return endings.contains(ending)
  }

  /// Whether no tool takes commands from a file for its name, so that it may go into a folder that others work in.
  static func isObeyedByNoTool(_ name: [UInt8]) -> Bool {
    if exports.contains(where: { $0.matches(name) }) { return true }
    let own = PassingFiles.database(ofLog: name) ?? name
    guard let ending = ending(of: String(decoding: own, as: UTF8.self).lowercased()) else { return false }
    return !settings.contains(ending)
  }

  /// Returns how many of a place's first names lead to the folder that must be new for a file that is no wallet's: its
  /// own one, or that around a directory whose files programs load.
  static func newFolder(of names: [[UInt8]]) -> Int {
    names.dropLast().firstIndex(where: isOfTools) ?? names.count - 1
  }

  /// Formats of data in which tools have their settings, and those name commands.
  private static let settings: Set<String> = ["json", "md", "txt"]

  /// Returns the part after the last dot; nil if it is empty or there is none.
  private static func ending(of name: String) -> String? {
    guard let place = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = name[name.utf8.index(after: place)...]
    return ending.isEmpty ? nil : String(ending)
  }

  private static func isOfTools(_ folder: [UInt8]) -> Bool {
    let lower = String(decoding: folder, as: UTF8.self).lowercased()
    return toolFolders.contains(lower)
      || [".git", ".d", ".app"].contains { lower.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// The names of wallets' files that users save anywhere, and of Teku's slashing records, which are held back.
  private static let exports = (WalletProgram.all.flatMap(\.exportNames) + ["0x*.yml"]).map {
    NamePattern($0)
  }

  private static let endings: Set<String> = [
    // Documents and pictures that open without running anything.
    "bmp", "csv", "docx", "eml", "gif", "heic", "ics", "jpeg", "jpg", "md", "mp3", "mp4", "pdf", "png",
    "pptx", "rtf", "tif", "tiff", "tsv", "txt", "vcf", "webp", "xlsx",
    // Keys, seeds and shares.
    "address", "age", "asc", "bed", "bip39", "bsms", "cbor", "crt", "der", "enc", "fueki", "gpg", "hex",
    "kdb",
    "kdbx", "key", "keys", "keyshare", "mnemonic", "p12", "pem", "pfx", "pgp", "psbt", "pub", "recover",
    "seed", "share", "sig", "txn", "vult", "words", "xprv", "xpub",
    // Wallets, databases and records.
    "aes", "backup", "bak", "bin", "dat", "data", "db", "db3", "dump", "json", "jsonl", "jmdat", "kv", "ldb",
    "lmdb", "log", "mdb", "mmdat", "old", "orig", "par2", "sealed", "seco", "sqlite", "sqlite3", "sst",
    "store", "wallet",
    // Archives, which are unpacked only by hand.
    "7z", "bz2", "gz", "rar", "tar", "tgz", "xz", "zip", "zst",
    // Firefox's notes next to a site's databases, and the files that this program holds back.
    "fueki-hold", "metadata-v2",
  ]

  /// Names of data that tools read commands from.
  private static let toolNames: Set<String> = [
    "activate", "aliases", "build", "cmakelists.txt", "composer.json", "conanfile.txt", "config.json",
    "config.txt", "configure", "control", "crontab", "deno.json", "devcontainer.json", "entry_points.txt",
    "env", "environment", "head", "jsconfig.json", "launch.json", "macros", "makefile.txt", "manifest.json",
    "package-lock.json", "package.json", "plugins.json", "project.json", "requirements.txt", "rules",
    "sconscript", "sconstruct", "settings.json", "tasks.json", "tsconfig.json", "workspace", "wscript",
  ]

  /// The ends of names without a dot that tools look for, such as "Makefile", "procmailrc" and "config".
  private static let toolEndings = ["file", "rc", "conf", "config", "-commit", "-push"]

  /// Directories whose files programs load or run.
  private static let toolFolders: Set<String> = [
    "bin", "dist-packages", "etc", "hooks", "include", "init", "lib", "lib32", "lib64", "libexec",
    "node_modules", "opt", "plugins", "profiles", "sbin", "scripts", "share", "site-packages", "startup",
    "tools",
  ]
}

extension WalletProgram {
  /// The names of files that users save from the program.
  fileprivate var exportNames: [String] { places.filter(\.isExport).map(\.path) }
}
