internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import Glibc

/// A parser of arbitrary bytes.
///
/// It may refuse them, but must neither trap nor exceed its limits of time and memory. Accepted input is
/// compared with a second source of truth.
package struct FuzzTarget: Sendable {
  package let name: String
  package let run: @Sendable ([UInt8]) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.run = run
  }

  package static let all: [FuzzTarget] = [
    .header, .slots, .index, .manifest, .records, .recordCheck, .changes, .frame, .columns, .rows, .archive,
    .tssLib, .keystore, .fuekiApp, .ownd, .eip2335, .eip3076, .levelDB, .metamask, .solana, .lnd, .monero,
    .foreign, .slip39, .guardians, .age, .shares, .stanzas, .plugin,
  ]

  /// The target named by the environment.
  ///
  /// Without a name, lists all targets and ends the process.
  static let chosen: FuzzTarget = {
    guard let name = Environment.get("FUEKI_FUZZ_TARGET") else {
      for target in all { print(target.name) }
      exit(0)
    }
    guard let target = all.first(where: { $0.name == name }) else {
      print("no target \(name)")
      exit(1)
    }
    return target
  }()
}

/// Called by libFuzzer before the first input.
@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  // A missing or wrong name ends the process here, where it does not count as a crash.
  _ = FuzzTarget.chosen
  return 0
}

/// Called by libFuzzer with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let target = FuzzTarget.chosen
  let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  do {
    try target.run(input)
  } catch CryptoError.outOfMemory, ArchiveError.outOfMemory, SLIP39Error.crypto(.outOfMemory) {
    preconditionFailure("there was no memory for what an input asks for")
  } catch {
    // An error is a correct result too.
  }
  return 0
}
