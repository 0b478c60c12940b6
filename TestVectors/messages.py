"""Whether messages are valid, and files whole: part of step 9 of fueki-archive(5), for reader.py."""

import hashlib

# Of each message of the page's schema, the fields that are text, and those that are messages, with their names.
SCHEMA = {
    name: {int(number): inner for number, _, inner in (field.partition("=") for field in fields)}
    for name, *fields in (
        line.split()
        for line in """
            Extra 1 4 6
            Checkpoint
            KeychainIndex 1
            Endpoint 1 2
            Account 2 5
            Wallet 2 3 4 5 7 8 9 10=Checkpoint 11=Checkpoint 12=Checkpoint 13=KeychainIndex 15=Extra 16=Endpoint 17=Account 19 24
            Asset 3 5 6 8 9 15=Extra
            Transaction 6 7 8 12 13 15=Extra 16
            Log
            Receipt 3 4=Log 6 15=Extra
            Contact 2 4 5 6 15=Extra
            Setting 1 2 15=Extra
            PartyPoint
            KeyShareDescriptor 3 4 12=PartyPoint 13 14 15=Extra
            KeyShare
            PrivateKey 3 4
            Credential 2 3 4 6 9 10 11 15=Extra
            Claim 1 2 3
            CredentialSharing 2 3 6 7=Claim 8 9 10 11 12 15=Extra
            IdTokenSharing 2 3 15=Extra
            ChatUser 2 3 15=Extra
            ChatThread 3 15=Extra
            ChatMessage 4 15=Extra
            FilePart 2 9 11 15=Extra 17 18
            SectionCount
            Exclusion 1 2
            SourceReport 1 2=SectionCount 3=Exclusion
            RecordProblem 3
            UnknownColumn 1 2 3
            Manifest 4 6 7 8=SourceReport 9 10=UnknownColumn 11=RecordProblem 15=Extra
        """.strip().splitlines()
    )
}
MESSAGES = {1: "Manifest", 2: "Wallet", 3: "Asset", 4: "Contact", 5: "Setting", 6: "KeyShareDescriptor",
            7: "Credential", 8: "FilePart", 32: "Transaction", 33: "Receipt", 34: "CredentialSharing",
            35: "IdTokenSharing", 36: "ChatUser", 37: "ChatThread", 38: "ChatMessage", 64: "KeyShare",
            65: "PrivateKey", 66: "FilePart"}
FILES = (8, 66)


def fault(section, message):
    """What is wrong with a section's message; None if it is valid, or the section is not known."""
    if section not in MESSAGES:
        return None
    try:
        scan(message, SCHEMA[MESSAGES[section]])
    except ValueError as error:
        return str(error)
    if section < 64:
        return None
    last = {number: value for number, wire, value in fields(message) if wire == 2}
    if len(last.get(1, b"")) != 16:
        return "an id that has not 16 bytes"
    return "no secret" if section == 65 and 5 not in last else None


def scan(message, shape):
    for number, wire, value in fields(message):
        inner = shape.get(number) if wire == 2 else None
        if inner:
            scan(value, SCHEMA[inner])
        elif inner is not None and not value.isascii():
            try:
                value.decode()
            except UnicodeDecodeError:
                raise ValueError("a text that is not UTF-8") from None


def fields(message):
    """The fields as (number, wire type, value). Raises ValueError where the message is no sequence of them."""
    at, end = 0, len(message)

    def varint():
        nonlocal at
        value = shift = 0
        while at < end and shift < 70:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                if value >> 64:
                    break
                return value
            shift += 7
        raise ValueError("a varint that is cut or too large")

    while at < end:
        key = varint()
        number, wire = key >> 3, key & 7
        if not 1 <= number < 1 << 29 or wire not in (0, 1, 2, 5):
            raise ValueError("a field's key")
        if wire == 0:
            yield number, wire, varint()
            continue
        size = varint() if wire == 2 else 8 if wire == 1 else 4
        if size > end - at:
            raise ValueError("a field that is cut")
        at += size
        yield number, wire, message[at - size:at]


class Files:
    """The parts of the original files, as they are met."""

    def __init__(self):
        self.files = {}

    def add(self, section, message):
        if section not in FILES:
            return
        part = {1: b"", 2: b"", 3: b"", 4: 0, 5: 0, 6: b""}
        for number, wire, value in fields(message):
            if number in part and wire == (0 if number in (4, 5) else 2):
                part[number] = value
        offset, total, content = part[4], part[5], part[6]
        file = self.files.setdefault((section, part[1], part[2], part[3]), {"total": total, "parts": {}, "agree": True})
        digest = len(content), hashlib.sha256(content).digest()
        same = file["parts"].setdefault(offset, digest) == digest if content else True
        file["agree"] &= same and total == file["total"] and offset + len(content) <= total

    def broken(self):
        """The first section of a file that is not whole."""
        return min((key[0] for key, file in self.files.items() if not is_whole(file)), default=None)


def is_whole(file):
    end = 0
    for offset, (count, _) in sorted(file["parts"].items()):
        if offset != end:
            return False
        end += count
    return file["agree"] and end == file["total"]
