import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// Sources with more than one archive may hold.
struct BackupLimitTests {
  private struct Large: Collector {
    let name: String
    var secrets = 0
    var secretBytes = 1
    var files = 0

    func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
      let secret = SharedSecret(try SecretBytes(count: secretBytes))
      for _ in 0..<secrets { bundle.add(secretRecord: secret, to: .privateKeys) }
      for number in 0..<files {
        let id = [number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
        _ = bundle.fileIDs.id(id, at: nil)
      }
      var report = SourceReport()
      report.name = name
      report.complete = true
      bundle.report(report)
    }
  }

  /// Returns why each source is left out.
  private func leftOut(_ sources: [Large]) throws -> [String: CollectError] {
    var errors: [String: CollectError] = [:]
    let bundle = try BackupBundle.collected(
      from: sources, asking: { _ in CollectionRequest() },
      leavingOut: { source, error in
        errors[source.name] = error as? CollectError
        return .failed(source.name, "too much")
      })
    #expect(bundle.reports.map(\.complete) == sources.map { errors[$0.name] == nil })
    return errors
  }

  @Test func `the source that would exceed a limit is left out, and the others are not`() throws {
    let half = BackupLimits.secrets / 2
    let sources = [
      Large(name: "a", secrets: half), Large(name: "b", secrets: half + 1), Large(name: "c", secrets: half),
      Large(name: "d", files: BackupLimits.files), Large(name: "e", files: BackupLimits.files + 1),
    ]
    #expect(try leftOut(sources) == ["b": .tooMuch(.secrets), "e": .tooMuch(.files)])
    let large = [
      Large(name: "a", secrets: 3, secretBytes: BackupLimits.secretBytes / 3),
      Large(name: "b", secrets: 1, secretBytes: 4),
    ]
    #expect(try leftOut(large) == ["b": .tooMuch(.secretBytes)])
  }
}
