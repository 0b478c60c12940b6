internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import Glibc

/// A parser that is fed arbitrary bytes.
///
/// It may refuse them, but neither trap nor take more time and memory than its limits allow; what it accepts is held
/// against something else that is known of it.
package struct FuzzTarget: Sendable {
  package let name: String
  package let run: @Sendable ([UInt8]) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.run = run
  }

  package static let all: [FuzzTarget] = [
    .header, .slots, .index, .manifest, .records, .changes, .frame, .columns, .rows, .archive, .tssLib,
    .keystore,
    .fuekiApp, .ownd, .eip2335, .eip3076, .levelDB, .metamask, .solana, .lnd, .monero,
    .foreign, .slip39, .guardians, .age, .shares, .stanzas, .plugin,
  ]

  /// The one that the environment names; without a name it lists them all and ends the process.
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

/// What libFuzzer calls before the first input.
@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  // A name that is missing or wrong ends the process here, where that does not pass for a crash.
  _ = FuzzTarget.chosen
  return 0
}

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let target = FuzzTarget.chosen
  let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  do {
    try target.run(input)
  } catch CryptoError.outOfMemory, ArchiveError.outOfMemory, SLIP39Error.crypto(.outOfMemory) {
    preconditionFailure("there was no memory for what an input asks for")
  } catch {
    // A refusal is as good as an answer.
  }
  return 0
}
