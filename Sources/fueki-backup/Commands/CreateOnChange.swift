internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension CreateCommand {
  /// The sections that a run was asked for; private keys stay in the keychain unless they are.
  static func sections(of request: CollectionRequest) -> Set<Section> {
    Set(
      Section.allCases.filter { section in
        let isPrivate = section == .privateKeys || section == .secretFiles
        return section != .manifest && request.selection.contains(section)
          && (!isPrivate || request.includesPrivateKeys)
      })
  }

  /// A digest of everything that would be in the archive, and of what was asked for.
  func contentMemory(
    _ sources: SourceList, _ request: CollectionRequest, _ vault: VaultSettings
  ) throws -> String {
    let progress = output.progressLine
    defer { progress.clear() }
    let fingerprint = try collect(sources, request, progress).fingerprint()
    let sections = Self.sections(of: request).sorted().map(\.name)
    let who =
      recipients.recipient + recipients.recipientsFile + [recipients.guardians ?? ""] + vault.recipients
    return fingerprint.digest(askedFor: sections + from + who + [label ?? vault.label ?? ""]).hex
  }

  /// The newest archive, if it has the same contents and lies whole in every target.
  func unchanged(_ content: String, _ vault: VaultState, _ targets: [Target]) throws -> VaultState.Link? {
    guard let known = vault.known, vault.content == content else { return nil }
    for target in targets {
      let isThere = try target.entries().contains { entry in
        entry.archive?.statedDigest.hex == known.digest && entry.archive?.structuralDamage.isEmpty == true
      }
      guard isThere else { return nil }
    }
    return known
  }

  func printUnchanged(_ link: VaultState.Link, _ console: Console) {
    guard !output.json else {
      return Document.write(UnchangedDocument(id: link.digest, sequence: link.sequence))
    }
    console.report(
      "nothing changed since archive \(link.digest.prefix(12)), number \(link.sequence) of its vault; none was made"
    )
  }
}

/// `create --on-change --json`, where nothing has changed.
struct UnchangedDocument: Encodable {
  let schema = "fueki.create/1"
  let unchanged = true
  let id: String
  let sequence: UInt64
}
