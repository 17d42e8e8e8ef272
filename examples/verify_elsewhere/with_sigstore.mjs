// Check the signature of a receipt with @sigstore/verify, the library of sigstore and npm; nothing of ours, no Python.
//   npm install @sigstore/verify@3 @sigstore/bundle@4
//   node with_sigstore.mjs RECEIPT.dsse.json KEY.pub.pem
import { createHash, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { bundleFromJSON } from "@sigstore/bundle";
import { Verifier, toSignedEntity } from "@sigstore/verify";

const [receipt, keyFile] = process.argv.slice(2);
const key = createPublicKey(readFileSync(keyFile));
const keyid = createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("hex");

// A plain public key: no certificate, no time stamp and no public log are asked for.
const trust = {
  certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [],
  publicKey: (hint) => {
    if (hint !== keyid) throw new Error("the receipt names another key");
    return { publicKey: key, validFor: () => true };
  },
};
const verifier = new Verifier(trust, { ctlogThreshold: 0, tlogThreshold: 0, tsaThreshold: 0, timestampThreshold: 0 });

function isSigned(envelope) {
  try {
    const bundle = bundleFromJSON({
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: { publicKey: { hint: envelope.signatures[0].keyid } },
      dsseEnvelope: envelope,
    });
    verifier.verify(toSignedEntity(bundle));
    return true;
  } catch (fault) {
    if (fault instanceof TypeError) throw fault; // our own mistake must not pass for a refusal
    return false;
  }
}

function fail(text) {
  console.log(`@sigstore/verify: ${text}`);
  process.exit(1);
}

const envelope = JSON.parse(readFileSync(receipt, "utf-8"));
if (!isSigned(envelope)) fail("REFUSED, the signature is not right");
console.log(`@sigstore/verify: signed by ${keyid}`);

// The control: with one bit flipped the same check has to refuse.
const payload = Buffer.from(envelope.payload, "base64");
payload[0] ^= 1;
if (isSigned({ ...envelope, payload: payload.toString("base64") })) fail("a flipped byte was NOT refused");
console.log("@sigstore/verify: a flipped byte is refused");
