// swift-tools-version: 6.2
import PackageDescription

// A package of its own, whose modules are links to the program's: built here they count what each input reaches, and
// the targets may use what is `package`. See README.md.
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, exclude: [], swiftSettings: settings)
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Targets/\(name)",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "Fuzz",
  dependencies: [.package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0")],
  targets: [
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    .target(name: "CProcess"),
    module("FuekiCrypto", ["CSodium", "COpenSSL"]),
    module("FuekiCompression", ["CZstd"]),
    module("FuekiSystem", ["CProcess"]),
    module("FuekiArchive", ["FuekiCrypto", "FuekiCompression", "FuekiSystem"]),
    .target(
      name: "FuekiWallet", dependencies: ["FuekiCrypto", protobuf], exclude: ["Schema/records.proto"],
      swiftSettings: settings),
    module("FuekiBackup", ["FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf]),
    module("FuekiCollectors", ["FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf]),

    fuzzer("header", ["FuekiArchive"]),
    fuzzer("slots", ["FuekiArchive"]),
    fuzzer("index", ["FuekiArchive"]),
    fuzzer("records", ["FuekiArchive", "FuekiWallet", protobuf]),
    fuzzer("shares", ["FuekiBackup", "FuekiCollectors", "FuekiWallet", "FuekiCrypto", protobuf]),
    fuzzer("tss-lib", ["FuekiCollectors", "FuekiBackup", "FuekiCrypto"]),
    fuzzer("keystore", ["FuekiCollectors"]),
    fuzzer("words", ["FuekiCrypto"]),
  ]
)
