import FuekiCrypto
import Testing

struct Keccak256Tests {
  @Test(arguments: [
    ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
    ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    // The first topic of an ERC-20 transfer.
    ("Transfer(address,address,uint256)", "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"),
    (
      "The quick brown fox jumps over the lazy dog",
      "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15"
    ),
  ])
  func `published texts have their published hashes`(text: String, hash: String) {
    let input = Array(text.utf8)
    #expect(Keccak256.hash(input.span).hex == hash)
  }

  // Computed with an independent implementation, at lengths where blocks and padding meet.
  @Test(arguments: [
    (1, "bc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a"),
    (7, "801560412425120fa609be232d6fa71c7f64f42aee7977267687dcc0a2f5aa63"),
    (8, "59e7c99f6be4fd053d7c99f54e371304a33213473dc41f1825b7f3ceb33841a6"),
    (64, "002030bde3d4cf89919649775cd71875c4d0ab1708a380e03fefc3a28aa24831"),
    (134, "861e165162f806cd361c4421a48f205820ddf4deb02db9f041f48e179ddada97"),
    (135, "cbdfd9dee5faad3818d6b06f95a219fd290b0e1706f6a82e5a595b9ce9faca62"),
    (136, "7ce759f1ab7f9ce437719970c26b0a66ff11fe3e38e17df89cf5d29c7d7f807e"),
    (137, "ac73d4fae68b8453f764007c1a20ce95994187861f0c3227a3a8e99a73a3b1db"),
    (271, "7c974895b2a88303ff2dc6b58f438ceb0b298cac91099ac0539cc0f477506191"),
    (272, "fdf2ec49e749960d3c8521a0219af8d03e30e2b3bf19bd16150ee0eaf133d66e"),
    (273, "4f707289a9c3ccd0c4a51f2f17339f5dd171d371c04ff7783b735b5b22682eaf"),
    (1000, "aca79e4146e30eb1c733f6d6060d72471c36ea4e01ebf45d7f4916249c2bbd82"),
  ])
  func `lengths around a block are padded right`(count: Int, hash: String) {
    let input = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    #expect(Keccak256.hash(input.span).hex == hash)
  }
}
