#!/usr/bin/env python3
"""What is linked into the programs: an SPDX 2.3 document, or the licences' texts for debian/copyright.

    components.py sbom VERSION EPOCH SCRATCH FILE...
    components.py copyright VERSION SCRATCH     for a package of Debian's, which has the Apache licence already
    components.py licences VERSION SCRATCH      in full
"""

import hashlib
import json
import os
import subprocess
import sys
import time

# The Swift packages that are linked, and their licences; FlyingFox is for the tests alone.
SWIFT = {
    "grdb.swift": "MIT",
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "swift-asn1": "Apache-2.0",
    "swift-crypto": "Apache-2.0 AND ISC AND OpenSSL",
    "swift-protobuf": "Apache-2.0 WITH Swift-exception",
    "tomlkit": "MIT",
}
TESTS_ONLY = {"flyingfox"}
# Debian's packages whose .a files are in the program beside archives, and their licences.
STATIC = {
    "libsodium-dev": "ISC",
    "libssl-dev": "Apache-2.0",
    "libzstd-dev": "BSD-3-Clause",
    "libsqlite3-dev": "blessing",
    "zlib1g-dev": "Zlib",
    "libzxcvbn-dev": "MIT",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}


def pins(scratch):
    """Each Swift package's name, version, address and checkout, as the build took it."""
    with open(os.path.join(scratch, "workspace-state.json"), encoding="utf-8") as file:
        state = json.load(file)
    found = []
    for entry in state["object"]["dependencies"]:
        name = entry["packageRef"]["identity"]
        if name in TESTS_ONLY:
            continue
        if name not in SWIFT:
            sys.exit(f"{name} has no licence in .ci/packaging/components.py")
        checkout = os.path.join(scratch, "checkouts", entry["subpath"])
        version = entry["state"]["checkoutState"]["version"]
        found.append((name, version, entry["packageRef"]["location"], checkout))
    return sorted(found)


def debian_version(package):
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True)
    return run.stdout


def swift_version():
    run = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True)
    return run.stdout.split("Swift version ")[1].split()[0]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sbom(version, epoch, scratch, files):
    packages = [{
        "SPDXID": "SPDXRef-fueki-backup", "name": "fueki-backup", "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
        "licenseComments": "The licence is the owner's to choose, and is not chosen yet.",
    }]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-fueki-backup")]

    def add(name, number, licence, place, relation):
        identifier = "SPDXRef-" + "".join(c if c.isalnum() or c in ".-" else "-" for c in name)
        packages.append({
            "SPDXID": identifier, "name": name, "versionInfo": number, "downloadLocation": place,
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION",
        })
        relations.append(("SPDXRef-fueki-backup", relation, identifier))

    for name, number, place, _ in pins(scratch):
        add(name, number, SWIFT[name], f"git+{place}@{number}", "STATIC_LINK")
    add("swift-runtime", swift_version(), "Apache-2.0 WITH Swift-exception AND Unicode-3.0", "https://www.swift.org/",
        "STATIC_LINK")
    for name, licence in STATIC.items():
        add(name, debian_version(name), licence, "NOASSERTION", "STATIC_LINK")
    described = [{
        "SPDXID": f"SPDXRef-file-{index}", "fileName": "./" + os.path.basename(path),
        "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(path)},
                      {"algorithm": "SHA1", "checksumValue": hashlib.sha1(open(path, "rb").read()).hexdigest()}],
        "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
    } for index, path in enumerate(files)]
    seed = "".join(f["checksums"][0]["checksumValue"] for f in described)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"fueki-backup-{version}",
        "documentNamespace": "urn:fueki:sbom:" + hashlib.sha256(seed.encode()).hexdigest(),
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(epoch))),
                         "creators": ["Tool: components.py"]},
        "packages": packages, "files": described,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
    }
    print(json.dumps(document, indent=1, sort_keys=True))


def licence_files(checkout):
    return sorted(name for name in os.listdir(checkout) if name.upper().startswith(("LICENSE", "NOTICE", "COPYING")))


def shortened(text):
    """A text without the Apache licence's terms, which each Debian has."""
    begin, end = text.find("TERMS AND CONDITIONS FOR USE"), text.find("END OF TERMS AND CONDITIONS")
    if not 0 <= begin < end:
        return text
    return (text[:begin] + "The terms are those of /usr/share/common-licenses/Apache-2.0." +
            text[end + len("END OF TERMS AND CONDITIONS"):])


def licences(version, scratch, change):
    print(f"fueki-backup {version}\n\nThe licence of fueki-backup itself is its owner's to choose, and is not chosen yet: "
          "until then nobody\nis granted more than the law grants.\n\nIts programs contain what follows, each under its "
          "own licence.")

    def section(title, text):
        print("\n" + "=" * 78 + f"\n{title}\n" + "=" * 78 + "\n\n" + change(text.strip()))

    for name, number, place, checkout in pins(scratch):
        for file in licence_files(checkout):
            with open(os.path.join(checkout, file), encoding="utf-8") as text:
                section(f"{name} {number}, {place}: {file}", text.read())
    swift = os.path.realpath(subprocess.run(["which", "swiftc"], capture_output=True, text=True, check=True).stdout.strip())
    with open(os.path.join(os.path.dirname(swift), "../share/swift/LICENSE.txt"), encoding="utf-8") as text:
        section(f"The runtime and Foundation of Swift {swift_version()}, with ICU (Unicode-3.0)", text.read())
    print("\n\nThe program fueki-restore contains these libraries of Debian 12 too, as Debian built them.")
    for name in STATIC:
        with open(f"/usr/share/doc/{name}/copyright", encoding="utf-8") as text:
            section(f"{name} {debian_version(name)}", text.read())


def main():
    kind, *rest = sys.argv[1:]
    if kind == "sbom":
        version, epoch, scratch, *files = rest
        sbom(version, epoch, scratch, files)
    elif kind == "copyright":
        licences(*rest, shortened)
    elif kind == "licences":
        licences(*rest, lambda text: text)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
