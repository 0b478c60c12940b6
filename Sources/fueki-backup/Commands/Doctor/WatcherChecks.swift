internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The checks of a machine that watches the backups of others: it reads them, and holds no secret.
enum WatcherChecks {
  /// Reads the list of expected vaults.
  ///
  /// - Returns: the list, or nil if it is refused; and what may be wrong with it.
  static func list(
    _ options: ExpectedOptions, _ path: String, _ configuration: Configuration
  ) -> (ExpectedVaults?, [Check]) {
    let name = "list \(path)"
    let list: ExpectedVaults
    do {
      list = try ExpectedVaultsFile.read(path, signedBy: options.signers(configuration))
    } catch {
      return (nil, [.failed(name, error)])
    }
    let count = Readable.count(list.vaults.count, "vault")
    var checks: [Check] = [
      options.expectedSigner.isEmpty
        ? .warning(
          name, "\(count). Anyone who can change the file decides which vaults are expected",
          remedy:
            "sign it with \"fueki-backup key sign\", and use --expected-signer KEY with doctor and status")
        : .ok(name, "\(count), and the signature is right")
    ]
    let ageless = list.vaults.count { $0.maxAge == nil }
    if ageless > 0 {
      checks.append(
        .warning(
          "max_age", "\(ageless) of \(count) have none, so that they are never late",
          remedy: "add max_age = \"26h\" to each vault in the list, and sign it again"))
    }
    let unsigned = list.vaults.count { $0.signers.isEmpty }
    if unsigned > 0 {
      checks.append(
        .warning(
          "signers", "\(unsigned) of \(count) have none, so that archives of anyone count as theirs",
          remedy: "add the public key of each machine's sign_key to the list, and sign it again"))
    }
    return (list, checks)
  }

  /// Reads what a target has, without writing to it.
  static func target(_ target: Target) -> Check {
    let name = "target \(target.path)"
    do {
      let entries = try target.entries()
      if let denied = DeniedArchives(of: entries, in: target) {
        return .failed(name, denied.sentence, remedy: denied.hint)
      }
      let archives = entries.compactMap(\.archive)
      let hint = RecursiveOptions.hint([target])
      guard !archives.isEmpty else {
        return .warning(
          name, "can be read, and has no archive" + (hint.isEmpty ? "" : ".\(hint)"),
          remedy: "compare the path with the target of the machine that makes the backups")
      }
      let vaults = Set(archives.map(\.facts.vaultID)).count
      return .ok(
        name,
        "can be read; \(Readable.count(archives.count, "archive")) of \(Readable.count(vaults, "vault"))")
    } catch TargetError.noTarget {
      return .failed(
        name, "it is not there",
        remedy: target.kind == .rclone
          ? "\"rclone listremotes\" lists the remotes that are set up, and \"rclone lsf\" what this machine can read"
          : "mount it, or correct the path")
    } catch {
      return .failed(name, error)
    }
  }
}
