/// The test vectors of BIP-380 to BIP-386 and of BIP-389, limited to public keys.
///
/// Private keys of the vectors are replaced with their public keys.
enum BIP380Vectors {
  static let key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
  static let uncompressedKey =
    "04a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
    + "5b8dec5235a0fa8722476c7709c02559e3aa73aa03918ba2d492eea75abea235"
  static let xOnlyKey = "a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
  static let otherKey = "0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600"
  /// m/0/2147483647h/1/2147483646h of BIP-32's second vector.
  static let deepKey =
    "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL"
  /// m/0h of the third vector.
  static let hardenedChild =
    "xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y"
  /// m/0 of the second vector.
  static let firstChild =
    "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH"
  /// m of the second vector.
  static let topKey =
    "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"
  static let anotherTopKey =
    "xpub661MyMwAqRbcGDZQUKLqmWodYLcoBQnQH33yYkkF3jjxeLvY8qr2wWGEWkiKFaaQfJCoi3HeEq3Dc5DptfbCyjD38fNhSqtKc1UHaP4ba3t"
  static let leafKey =
    "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV"
  static let lastKey =
    "xpub69H7F5dQzmVd3vPuLKtcXJziMEQByuDidnX3YdwgtNsecY5HRGtAAQC5mXTt4dsv9RzyjgDjAQs9VGVV6ydYCHnprc9vvaA5YtqWyL6hyds"

  static let sixteenKeys = """
    03669b8afcec803a0d323e9a17f3ea8e68e8abe5a278020a929adbec52421adbd0,\
    0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600,\
    0362a74e399c39ed5593852a30147f2959b56bb827dfa3e60e464b02ccf87dc5e8,\
    0261345b53de74a4d721ef877c255429961b7e43714171ac06168d7e08c542a8b8,\
    02da72e8b46901a65d4374fe6315538d8f368557dda3a1dcf9ea903f3afe7314c8,\
    0318c82dd0b53fd3a932d16e0ba9e278fcc937c582d5781be626ff16e201f72286,\
    0297ccef1ef99f9d73dec9ad37476ddb232f1238aff877af19e72ba04493361009,\
    02e502cfd5c3f972fe9a3e2a18827820638f96b6f347e54d63deb839011fd5765d,\
    03e687710f0e3ebe81c1037074da939d409c0025f17eb86adb9427d28f0f7ae0e9,\
    02c04d3a5274952acdbc76987f3184b346a483d43be40874624b29e3692c1df5af,\
    02ed06e0f418b5b43a7ec01d1d7d27290fa15f75771cb69b642a51471c29c84acd,\
    036d46073cbb9ffee90473f3da429abc8de7f8751199da44485682a989a4bebb24,\
    02f5d1ff7c9029a80a4e36b9a5497027ef7f3e73384a4a94fbfe7c4e9164eec8bc,\
    02e41deffd1b7cce11cde209a781adcffdabd1b91c0ba0375857a2bfd9302419f3,\
    02d76625f7956a7fc505ab02556c23ee72d832f1bac391bcd2d3abce5710a13d06,\
    0399eb0a5487515802dc14544cf10b3666623762fbed2ec38a3975716e2c29c232
    """

  /// Descriptors, and their scripts from index 0.
  static let scripts: [(String, [String])] = [
    ("pk(\(key))", ["21\(key)ac"]), ("pk(\(uncompressedKey))", ["41\(uncompressedKey)ac"]),
    (
      "pk(\(hardenedChild)/0)",
      ["210379e45b3cf75f9c5f9befd8e9506fb962f6a9d185ac87001ec44a8d3df8d4a9e3ac"]
    ), ("pkh([deadbeef/1/2'/3/4']\(key))", ["76a9149a1c78a507689f6f54b847ad1cef1e614ee23f1e88ac"]),
    ("pkh([deadbeef/1/2h/3/4h]\(key))", ["76a9149a1c78a507689f6f54b847ad1cef1e614ee23f1e88ac"]),
    ("pkh(\(uncompressedKey))", ["76a914b5bd079c4d57cc7fc28ecf8213a6b791625b818388ac"]),
    (
      "pkh([bd16bee5/2147483647h]\(lastKey)/0)", ["76a914ebdc90806a9c4356c1c88e42216611e1cb4c1c1788ac"]
    ), ("sh(pk(\(key)))", ["a9141857af51a5e516552b3086430fd8ce55f7c1a52487"]),
    ("sh(pkh(\(key)))", ["a9141a31ad23bf49c247dd531a623c2ef57da3c400c587"]),
    ("wpkh(\(key))", ["00149a1c78a507689f6f54b847ad1cef1e614ee23f1e"]),
    (
      "wpkh([ffffffff/13']\(firstChild)/1/2/*)",
      [
        "0014326b2249e3a25d5dc60935f044ee835d090ba859", "0014af0bd98abc2f2cae66e36896a39ffe2d32984fb7",
        "00141fa798efd1cbf95cebf912c031b8a4a6e9fb9f27",
      ]
    ), ("sh(wpkh(\(key)))", ["a91484ab21b1b2fd065d4504ff693d832434b6108d7b87"]),
    ("wsh(pkh(\(key)))", ["0020338e023079b91c58571b20e602d7805fb808c22473cbc391a41b1bd3a192e75b"]),
    ("wsh(pk(\(key)))", ["00202e271faa2325c199d25d22e1ead982e45b64eeb4f31e73dbdf41bd4b5fec23fa"]),
    ("sh(wsh(pkh(\(key))))", ["a914b61b92e2ca21bac1e72a3ab859a742982bea960a87"]),
    ("multi(1,\(key),\(uncompressedKey))", ["5121\(key)41\(uncompressedKey)52ae"]),
    ("sortedmulti(1,\(uncompressedKey),\(key))", ["5121\(key)41\(uncompressedKey)52ae"]),
    (
      "sh(multi(2,[00000000/111'/222]\(deepKey),\(hardenedChild)/0))",
      ["a91445a9a622a8b0a1269944be477640eedc447bbd8487"]
    ),
    (
      "sortedmulti(2,\(deepKey)/*,\(hardenedChild)/0/0/*)",
      [
        "5221025d5fc65ebb8d44a5274b53bac21ff8307fec2334a32df05553459f8b1f7fe1b6"
          + "2102fbd47cc8034098f0e6a94c6aeee8528abf0a2153a5d8e46d325b7284c046784652ae",
        "52210264fd4d1f5dea8ded94c61e9641309349b62f27fbffe807291f664e286bfbe647"
          + "2103f4ece6dfccfa37b211eb3d0af4d0c61dba9ef698622dc17eecdf764beeb005a652ae",
        "5221022ccabda84c30bad578b13c89eb3b9544ce149787e5b538175b1d1ba259cbb833"
          + "21024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c52ae",
      ]
    ), ("sh(wsh(multi(16,\(sixteenKeys))))", ["a9147fc63e13dc25e8a95a3cee3d9a714ac3afd96f1e87"]),
    ("raw(deadbeef)", ["deadbeef"]),
    ("raw(5121\(key)41\(uncompressedKey)52ae)", ["5121\(key)41\(uncompressedKey)52ae"]),
    ("addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)", ["a914eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee87"]),
    ("tr(\(xOnlyKey))", ["512077aab6e066f8a7419c5ab714c12c67d25007ed55a43cadcacb4d7a970a093f11"]),
    ("tr(\(key))", ["512077aab6e066f8a7419c5ab714c12c67d25007ed55a43cadcacb4d7a970a093f11"]),
    (
      "tr(\(deepKey)/0/*,pk(\(deepKey)/1/*))",
      [
        "512078bc707124daa551b65af74de2ec128b7525e10f374dc67b64e00ce0ab8b3e12",
        "512001f0a02a17808c20134b78faab80ef93ffba82261ccef0a2314f5d62b6438f11",
        "512021024954fcec88237a9386fce80ef2ced5f1e91b422b26c59ccfc174c8d1ad25",
      ]
    ),
    (
      "tr(\(xOnlyKey),pk(669b8afcec803a0d323e9a17f3ea8e68e8abe5a278020a929adbec52421adbd0))",
      ["512017cf18db381d836d8923b1bdb246cfcd818da1a9f0e6e7907f187f0b2f937754"]
    ),
    (
      "tr(\(xOnlyKey),{pk(\(leafKey)/0),{{pk(\(deepKey)),"
        + "pk(02df12b7035bdac8e3bab862a3a83d06ea6b17b6753d52edecba9be46f5d09e076)},pk(\(key))}})",
      ["512071fff39599a7b78bc02623cbe814efebf1a404f5d8ad34ea80f213bd8943f574"]
    ),
  ]

  /// Multipath descriptors, and the descriptors they expand to.
  static let multipaths: [(String, [String])] = [
    ("pk(\(hardenedChild)/<0;1>)", ["pk(\(hardenedChild)/0)", "pk(\(hardenedChild)/1)"]),
    (
      "wpkh([ffffffff/13h]\(firstChild)/<1;3>/2/*)",
      ["wpkh([ffffffff/13h]\(firstChild)/1/2/*)", "wpkh([ffffffff/13h]\(firstChild)/3/2/*)"]
    ),
    (
      "multi(2,\(deepKey)/<1;2>/*,\(hardenedChild)/<3;4>/0/*)",
      ["multi(2,\(deepKey)/1/*,\(hardenedChild)/3/0/*)", "multi(2,\(deepKey)/2/*,\(hardenedChild)/4/0/*)"]
    ), ("pkh(\(topKey)/<0;1;2>)", ["pkh(\(topKey)/0)", "pkh(\(topKey)/1)", "pkh(\(topKey)/2)"]),
    (
      "sh(multi(2,\(deepKey)/<1;2;3>/0/*,\(hardenedChild)/0/*,\(anotherTopKey)/0/0/<3;4;5>/*))",
      (1...3).map { branch in
        "sh(multi(2,\(deepKey)/\(branch)/0/*,\(hardenedChild)/0/*,\(anotherTopKey)/0/0/\(branch + 2)/*))"
      }
    ),
  ]
}
