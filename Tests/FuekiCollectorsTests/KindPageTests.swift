import FuekiCollectors
import TestSupport
import Testing

/// Compares the manual page's kinds with the table.
struct KindPageTests {
  private static let sections: [Substring] = {
    let bytes = (try? TestVectors.file("../man/fueki-backup-wallets.7")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(".Ss ") }
  }()

  @Test(arguments: CollectorKind.all.map(\.name))
  func `a kind has a section of its own`(name: String) {
    #expect(Self.sections.count { $0.hasSuffix(" (\(name))") } == 1)
  }

  @Test func `a section is of a kind that there is`() {
    #expect(Self.sections.count == CollectorKind.all.count)
  }
}
