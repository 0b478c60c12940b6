import { ascii, concat, hex, u64, unhex } from "./bytes.mjs";
import { isSigned } from "./crypto.mjs";
import { fingerprint } from "./digests.mjs";
import { InputError } from "./verdict.mjs";

/// A kit groups digits, and puts the last ones in brackets.
const digitsOf = (text) => text.replace(/[\s[\]-]/g, "").toLowerCase();

/// Reads what a person types from a recovery kit: `signer`, `number`, `id` and `code`, each a text that may be empty. Returns
/// `{ trustedSigners, known }`, as `inspect` and `compare` take them.
export function paperOf({ signer = "", number = "", id = "", code = "" }) {
  const known = code.trim() ? codeOf(code) : numberOf(number, id);
  const typed = signerOf(signer);
  if (typed && known?.signer && ![known.signer, hex(fingerprint(unhex(known.signer)))].includes(typed)) {
    throw new InputError("code", "a checkpoint of another signer");
  }
  return { trustedSigners: typed ? [typed] : known?.signer ? [known.signer] : [], known };
}

function signerOf(text) {
  const digits = digitsOf(text);
  const isValid = /^(|[0-9a-f]{32}|[0-9a-f]{64})$/.test(digits);
  if (!isValid) throw new InputError("signer", `${digits.length} digits, not 64 of a signer or 32 of a fingerprint`);
  return digits;
}

function numberOf(number, id) {
  const [sequence, digest] = [digitsOf(number), digitsOf(id)];
  if (!sequence && !digest) return null;
  if (!/^[0-9]{1,20}$/.test(sequence)) throw new InputError("number", "no number");
  if (!/^(|[0-9a-f]{64})$/.test(digest)) throw new InputError("id", `${digest.length} digits, not 64`);
  return { sequence, ...(digest && { digest }) };
}

/// The text of a kit's first code: VAULT:SEQUENCE:DIGEST, or a signed checkpoint.
function codeOf(text) {
  const line = text.trim().toLowerCase();
  const found = /^([0-9a-f]{32}):([0-9]{1,20}):([0-9a-f]{64})$/.exec(line);
  if (found) return { vault: found[1], sequence: found[2], digest: found[3] };
  const words = /^fueki-checkpoint-1 ([0-9a-f]{32}) ([0-9]{1,20}) ([0-9a-f]{64}) ([0-9]{1,20}) ([0-9a-f]{64}) ([0-9a-f]{128})$/.exec(line);
  if (!words) throw new InputError("code", "neither a checkpoint nor a vault, a number and a digest");
  const [vault, sequence, digest, created, signer, signature] = words.slice(1);
  const numbers = [sequence, created].map(BigInt);
  if (numbers.some((value) => value >= 2n ** 64n)) throw new InputError("code", "a number beyond 64 bits");
  const message = concat(
    ascii("fueki/1 checkpoint"), unhex(vault), u64(numbers[0]), unhex(digest), u64(numbers[1]), unhex(signer),
  );
  if (!isSigned(unhex(signature), message, unhex(signer))) throw new InputError("code", "its signature does not hold");
  return { vault, sequence, digest, signer };
}
