// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Optimizing takes longer than it saves in tests, and in the code that talks to people. The code that does the work is
// optimized.
let unoptimized = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let flyingFox: [Target.Dependency] = [
  .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
]
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "fueki-backup",
  products: [
    .library(name: "FuekiBackup", targets: ["FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto"]),
    .library(
      name: "FuekiData",
      targets: ["FuekiStore", "FuekiSync", "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto"]),
    .executable(name: "fueki-backup", targets: ["fueki-backup"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // It has no pkg-config file, so the module map names the library.
    .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
    .target(name: "CProcess"),
    .target(name: "CCurl"),

    .target(
      name: "FuekiCrypto", dependencies: ["FuekiSystem", "CSodium", "COpenSSL", "CZxcvbn", crypto],
      swiftSettings: strict),
    .target(
      name: "FuekiCompression", dependencies: ["FuekiSystem", "CZstd", "CZlib"], swiftSettings: strict),
    .target(name: "FuekiSystem", dependencies: ["CProcess", "CCurl"], swiftSettings: strict),

    .target(name: "FuekiSQLite", dependencies: [grdb, sqlite], swiftSettings: strict),

    // For the command line alone, so that an app does not need libqrencode.
    .target(
      name: "FuekiCodes", dependencies: ["FuekiSystem", "CQREncode"], exclude: ["Bundled"],
      swiftSettings: strict),

    .target(
      name: "FuekiArchive", dependencies: ["FuekiCrypto", "FuekiCompression", "FuekiSystem"],
      swiftSettings: strict),
    .target(
      name: "FuekiWallet", dependencies: ["FuekiArchive", "FuekiCrypto", protobuf],
      exclude: ["Schema/records.proto"], swiftSettings: strict),

    .target(
      name: "FuekiSources",
      dependencies: ["FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf],
      swiftSettings: strict),
    .target(
      name: "FuekiBackup",
      dependencies: ["FuekiSources", "FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf],
      swiftSettings: strict),
    .target(
      name: "FuekiStore",
      dependencies: [
        "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", "FuekiSQLite", grdb,
        protobuf,
      ],
      swiftSettings: strict),
    .target(
      name: "FuekiCollectors",
      dependencies: [
        "FuekiSources", "FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiCompression", "FuekiSystem",
        protobuf,
      ],
      swiftSettings: strict),
    .target(
      name: "FuekiSync",
      dependencies: ["FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf],
      exclude: ["Transport/Bundled"], swiftSettings: strict),
    .target(
      name: "FuekiSample",
      dependencies: [
        "FuekiStore", "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", protobuf,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "fueki-backup",
      dependencies: [
        "FuekiBackup", "FuekiStore", "FuekiCollectors", "FuekiSync", "FuekiSample", "FuekiArchive",
        "FuekiWallet", "FuekiCrypto", "FuekiCompression", "FuekiSystem", "FuekiCodes", arguments, protobuf,
        toml,
      ],
      exclude: ["Schemas", "Offer/Bundled"], swiftSettings: unoptimized),

    .target(
      name: "TestSupport", dependencies: ["FuekiCrypto", "FuekiSystem", crypto], path: "Tests/TestSupport",
      swiftSettings: unoptimized),
    .target(
      name: "CommandSupport", dependencies: ["FuekiSystem", "TestSupport"], path: "Tests/CommandSupport",
      swiftSettings: unoptimized),
    .target(
      name: "SyncSupport",
      dependencies: ["FuekiSync", "FuekiStore", "FuekiBackup", "FuekiWallet", "TestSupport"],
      path: "Tests/SyncSupport", swiftSettings: unoptimized),
    .target(
      name: "ArchiveSupport", dependencies: ["FuekiArchive"], path: "Tests/ArchiveSupport",
      swiftSettings: unoptimized),
    .target(name: "CBoxTrial", path: "Tests/CBoxTrial"),
    .testTarget(
      name: "FuekiCryptoTests", dependencies: ["FuekiCrypto", "TestSupport", crypto],
      swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiCompressionTests", dependencies: ["FuekiCompression", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiSystemTests", dependencies: ["FuekiSystem", "CBoxTrial", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiArchiveTests",
      dependencies: ["FuekiArchive", "FuekiCrypto", "FuekiSystem", "ArchiveSupport", "TestSupport", crypto],
      swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiWalletTests",
      dependencies: ["FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", "TestSupport", protobuf],
      swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiBackupTests",
      dependencies: [
        "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto", "FuekiSystem", "TestSupport", protobuf,
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiStoreTests",
      dependencies: [
        "FuekiStore", "FuekiSQLite", "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCrypto",
        "FuekiSystem", "TestSupport", grdb, protobuf,
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiCollectorsTests",
      dependencies: [
        "FuekiCollectors", "FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem", "TestSupport",
        protobuf,
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiSyncTests",
      dependencies: [
        "fueki-backup", "FuekiSync", "FuekiStore", "FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem",
        "SyncSupport", "TestSupport", protobuf,
      ] + flyingFox, swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiSyncLongTests",
      dependencies: [
        "fueki-backup", "FuekiSync", "FuekiStore", "FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem",
        "SyncSupport", "TestSupport", protobuf,
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FuekiSampleTests",
      dependencies: [
        "FuekiSample", "FuekiStore", "FuekiBackup", "FuekiWallet", "FuekiCrypto", "FuekiSystem",
        "TestSupport", protobuf,
      ],
      swiftSettings: unoptimized),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FuekiCollectors", "FuekiBackup", "FuekiArchive", "FuekiWallet", "FuekiCompression", "FuekiCrypto",
        "FuekiSystem", "ArchiveSupport", protobuf,
      ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "FuekiSystem", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "WordingTests",
      dependencies: [
        "fueki-backup", "FuekiSync", "FuekiCollectors", "FuekiStore", "FuekiBackup", "FuekiArchive",
        "FuekiWallet", "FuekiCompression", "FuekiCrypto", "FuekiSystem", "TestSupport",
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "CommandTests", dependencies: ["FuekiCrypto", "FuekiSystem", "CommandSupport", "TestSupport"],
      swiftSettings: unoptimized),
    // Tests of more than a few seconds, in a separate target so that a run can skip them.
    .testTarget(
      name: "CommandLongTests", dependencies: ["FuekiSystem", "CommandSupport", "TestSupport"],
      exclude: ["Lives/README.md"], swiftSettings: unoptimized),
  ]
)

// For .ci/run only: the program of Tests/Example, which is a separate package, built from existing modules.
// Here too it sees only the public interface.
if Context.environment["FUEKI_EXAMPLE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Example", dependencies: ["FuekiStore", "FuekiSync", "FuekiBackup", "FuekiWallet"],
      path: "Tests/Example/Sources/Example", packageAccess: false,
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .strictMemorySafety()]))
}

// For .ci/fuzz only: the parsers with counters for libFuzzer, and the program that runs them.
if Context.environment["FUEKI_FUZZ"] != nil {
  let counted: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]
  for target in package.targets
  where (target.name.hasPrefix("Fueki") || target.name == "FuzzTargets") && target.type == .regular {
    target.swiftSettings = (target.swiftSettings ?? []) + counted
  }
  package.targets.append(
    // An empty C file: libFuzzer has main(), which SwiftPM expects under another name in a Swift executable.
    .executableTarget(
      name: "fueki-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program",
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]))
}

// For .ci/package only: the program that `kit bundle` copies next to archives. It only restores wallets,
// without network and codes, and so needs neither curl nor libqrencode.
if Context.environment["FUEKI_BUNDLED"] != nil {
  let left = [
    "FuekiCodes": ["QRCode.swift"],
    "FuekiSystem": ["Network/CurlHandle.swift"],
    "FuekiSync": ["Transport/CurlTransport.swift"],
    "fueki-backup": ["Schemas", "Offer/Offer.swift"],
  ]
  let unused = ["CQREncode", "CCurl"]
  for target in package.targets {
    if let left = left[target.name] { target.exclude = left }
    target.dependencies.removeAll {
      if case .byNameItem(let name, _) = $0 { unused.contains(name) } else { false }
    }
  }
  package.targets.removeAll { unused.contains($0.name) || $0.isTest }
  // Debian's libzxcvbn.a is not position-independent.
  package.targets.first { $0.name == "fueki-backup" }?.linkerSettings = [
    .unsafeFlags(["-Xclang-linker", "-no-pie", "-Xclang-linker", "-static-libgcc"])
  ]
}

// For .ci/loop only: one module's tests, with all that they need.
if let module = Context.environment["FUEKI_ONLY"] {
  var needed: Set<String> = []
  var next = ["\(module)Tests"]
  while let name = next.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }), needed.insert(name).inserted else {
      continue
    }
    next += target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
