"use strict";
// Verifies a log of receipts again (spec/log.md, spec/receipt.md). Nothing is fetched and nothing is evaluated.

(() => {
  const TYPE = "application/vnd.in-toto+json";
  const CLAIM = "urn:assay:claim-result:v0.1";
  const DELIVERY = "urn:assay:delivery-result:v0.1";
  const COMMITMENT = "urn:assay:gauge-commitment:v0.1";

  // ------------------------------------------------------------------------------------------------ bytes and hashes

  const utf8 = (text) => new TextEncoder().encode(text);
  const text = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const same = (one, two) => hex(one) === hex(two);

  function join(...parts) {
    const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  // Base64 in its one spelling; another one throws.
  function fromBase64(spelled) {
    const binary = atob(spelled);
    if (btoa(binary) !== spelled) throw new Error("base64 in another spelling than its one");
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  }

  // Whole parts of cube roots' fractions of the first 64 primes (FIPS 180-4, 4.2.2), and of square roots' of eight.
  const ROUNDS = new Uint32Array(64);
  const START = new Uint32Array(8);
  for (let number = 2, found = 0; found < 64; number += 1) {
    let isPrime = true;
    for (let by = 2; by * by <= number; by += 1) isPrime = isPrime && number % by !== 0;
    if (!isPrime) continue;
    if (found < 8) START[found] = (Math.sqrt(number) % 1) * 2 ** 32;
    ROUNDS[found] = (Math.cbrt(number) % 1) * 2 ** 32;
    found += 1;
  }

  // The page hashes by itself: the browser's own hash is not there in every page that was opened from a disk.
  function sha256(bytes) {
    const size = ((bytes.length + 72) >> 6) << 6;
    const padded = new Uint8Array(size);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(size - 4, bytes.length << 3);
    const state = START.slice();
    const word = new Int32Array(64);
    const turn = (value, by) => (value >>> by) | (value << (32 - by));
    for (let block = 0; block < size; block += 64) {
      for (let i = 0; i < 16; i += 1) word[i] = view.getInt32(block + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const far = word[i - 15];
        const near = word[i - 2];
        const one = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
        const two = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
        word[i] = word[i - 16] + one + word[i - 7] + two;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const up = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + word[i]) | 0;
        const down = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + up) | 0;
        d = c;
        c = b;
        b = a;
        a = (up + down) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((value, i) => {
        state[i] += value;
      });
    }
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((value, i) => digest.setUint32(4 * i, value));
    return new Uint8Array(digest.buffer);
  }

  // Canonical bytes (RFC 8785) of what JSON.parse gave: keys sorted by UTF-16 units, which is how they sort here.
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }

  const digestOf = (document) => hex(sha256(utf8(canonical(document))));

  // ------------------------------------------------------------------------------------------------------ signatures

  const canSign = Boolean(globalThis.crypto && crypto.subtle);
  const imported = new Map();

  // true, false, or null where this browser has no Ed25519.
  async function isSigned(key, signature, message) {
    if (!canSign) return null;
    const id = hex(key);
    try {
      if (!imported.has(id)) imported.set(id, await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]));
      return await crypto.subtle.verify("Ed25519", imported.get(id), signature, message);
    } catch {
      return null;
    }
  }

  function readKey(one) {
    const spki = fromBase64(one.spki);
    return { name: one.name, id: hex(sha256(spki)), raw: spki.slice(-32), revoked: one.revoked };
  }

  // ------------------------------------------------------------------------------------------------------- the log

  function readCheckpoint(bytes) {
    const whole = text(bytes);
    const [head, signatures = ""] = whole.split("\n\n");
    const signed = whole.includes("\n\n") ? `${head}\n` : head;
    const [origin, size, root, end, ...more] = signed.split("\n");
    if (end !== "" || more.length > 0 || !/^(0|[1-9][0-9]*)$/.test(size)) throw new Error("the checkpoint is none");
    const lines = signatures.split("\n").filter((line) => line !== "");
    const signers = lines.map((line) => {
      const [dash, name, data, ...rest] = line.split(" ");
      if (dash !== "\u2014" || rest.length > 0) throw new Error("the checkpoint has a line that is no signature");
      const raw = fromBase64(data);
      return { name, hint: raw.slice(0, 4), signature: raw.slice(4) };
    });
    return { origin, size: Number(size), root: fromBase64(root), signed: utf8(signed), signers };
  }

  // A tree that grows from the right edge of an older one: perfect subtrees, the largest first (RFC 9162, 2.1).
  class Tree {
    constructor(size, edge) {
      this.size = size;
      this.edge = edge.slice();
    }

    add(leaf) {
      this.edge.push(leaf);
      for (let size = this.size; size % 2 === 1; size = (size - 1) / 2) {
        const right = this.edge.pop();
        this.edge.push(sha256(join([1], this.edge.pop(), right)));
      }
      this.size += 1;
    }

    root() {
      if (this.edge.length === 0) return sha256(new Uint8Array());
      return this.edge.reduceRight((right, left) => sha256(join([1], left, right)));
    }
  }

  async function checkpointSigners(checkpoint, keys) {
    const found = { right: [], wrong: [], cannot: [] };
    for (const key of keys.filter((one) => one.revoked === null)) {
      const hint = sha256(join(utf8(`${checkpoint.origin}\n`), [1], key.raw)).slice(0, 4);
      for (const one of checkpoint.signers.filter((each) => each.name === checkpoint.origin && same(each.hint, hint))) {
        const answer = await isSigned(key.raw, one.signature, checkpoint.signed);
        found[answer === null ? "cannot" : answer ? "right" : "wrong"].push(key.name);
      }
    }
    return found;
  }

  // ---------------------------------------------------------------------------------------------------- one receipt

  const isSet = (document, ...names) => canonical(Object.keys(document).sort()) === canonical(names.sort());

  function readCanonical(bytes) {
    const spelled = text(bytes);
    const document = JSON.parse(spelled);
    if (document === null || typeof document !== "object") throw new Error("it is no object");
    if (canonical(document) !== spelled) throw new Error("it is not in canonical spelling");
    return document;
  }

  function readReceipt(line) {
    let document = readCanonical(line);
    let signatures = null;
    let payload = line;
    if (isSet(document, "payload", "payloadType", "signatures")) {
      if (document.payloadType !== TYPE) throw new Error("its envelope holds something else than a Statement");
      payload = fromBase64(document.payload);
      signatures = document.signatures.map((one) => ({ id: String(one.keyid), signature: fromBase64(one.sig) }));
      if (signatures.length === 0) throw new Error("its envelope has no signature");
      document = readCanonical(payload);
    }
    if (!isSet(document, "_type", "predicate", "predicateType", "subject")) throw new Error("it is no Statement");
    return { document, payload, signatures };
  }

  async function authenticity(receipt, keys, isLogged) {
    if (receipt.signatures === null) return { answer: "unsigned", why: "who can write the file can write such a receipt" };
    const message = join(utf8(`DSSEv1 ${TYPE.length} ${TYPE} ${receipt.payload.length} `), receipt.payload);
    const found = { yes: [], revoked: [], no: [], cannot: [] };
    for (const one of receipt.signatures) {
      const key = keys.find((each) => each.id === one.id);
      if (key === undefined) continue;
      const answer = await isSigned(key.raw, one.signature, message);
      const word = answer === null ? "cannot" : !answer ? "no" : key.revoked !== null && !isLogged(key) ? "revoked" : "yes";
      found[word].push(key.name);
    }
    if (found.no.length > 0) return { answer: "no", why: `this is not the signature of ${found.no.join(", ")}` };
    if (found.yes.length > 0) return { answer: "yes", why: `signed by ${found.yes.join(", ")}` };
    if (found.revoked.length > 0) return { answer: "no", why: `the key ${found.revoked.join(", ")} was revoked` };
    if (found.cannot.length > 0) return { answer: "not possible here", why: "this browser has no Ed25519" };
    return { answer: "unknown", why: "no key of this page signed it" };
  }

  // Whether the subject is the digest of what the receipt is about.
  function subject(document) {
    const [{ name, digest }] = document.subject;
    const said = document.predicate;
    let expected;
    if (document.predicateType === CLAIM && name === "claim") {
      const claim = { task: said.task, state: said.asserted.state };
      if (claim.state === "VALUE") claim.value = said.established.value;
      expected = digestOf(claim);
    } else if (document.predicateType === CLAIM && name === "task") expected = digestOf(said.task);
    else if (document.predicateType === DELIVERY && name === "delivered") expected = said.delivered_sha256;
    else if (document.predicateType === DELIVERY && name === "task") expected = said.task.sha256;
    else if (document.predicateType === DELIVERY && name === "suite") expected = said.suite.suite_sha256;
    else return { answer: "not possible here", why: "this page does not know such a subject" };
    const isRight = expected === digest.sha256;
    return { answer: isRight ? "yes" : "no", why: isRight ? `it is the digest of the ${name}` : `it is not that ${name}'s` };
  }

  // ----------------------------------------------------------------------------------------------------- plain words

  // What an accepted abstention says, of a property and an entity.
  const ABSTENTIONS = {
    INSUFFICIENT_EVIDENCE: (about) => `the evidence does not decide the ${about}`,
    CONFLICT_NOT_RESOLVED: (about) => `the evidence contradicts itself on the ${about}`,
    NO_ENTITY: (about, entity) => `the evidence has no ${entity} (asked for the ${about})`,
  };

  // Control and format characters as escapes: nothing that a stranger wrote turns the line around.
  const printable = (said) =>
    String(said).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);

  function outcomeOf(document) {
    if (document.predicateType === COMMITMENT) return "commitment";
    const outcome = document.predicate.outcome;
    return typeof outcome === "string" ? outcome : "other";
  }

  // The receipt in a line; its outcome stands beside it.
  function sentence(document) {
    const said = document.predicate;
    if (document.predicateType === COMMITMENT) return "to the gauge of a suite, which is not named here";
    const outcome = outcomeOf(document);
    if (document.predicateType === CLAIM) {
      const about = `${said.property || "identity"} of ${said.entity || "given numbers"}`;
      if (outcome !== "accepted") return `${about}${said.code ? ` (${said.code})` : ""}`;
      if (Object.hasOwn(ABSTENTIONS, said.asserted.state)) return ABSTENTIONS[said.asserted.state](about, said.entity);
      return `${about} is ${said.established.value} (${said.how})`;
    }
    if (document.predicateType === DELIVERY) {
      const task = said.task === null ? said.suite.entry_point || "a program" : said.task.task;
      const which = outcome === "DELIVERED" ? `candidate ${said.position} of ` : "";
      return `${which}${said.tried.length} tried, for: ${task}`;
    }
    return `a receipt of sort ${document.predicateType}`;
  }

  // -------------------------------------------------------------------------------------------------------- checking

  async function controls(sample) {
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    if (hex(sha256(utf8("abc"))) !== abc) throw new Error("this page does not hash as it should");
    if (sample === null) return;
    const forged = sample.message.slice();
    forged[forged.length - 1] ^= 1;
    if ((await isSigned(sample.key, sample.signature, forged)) === true) {
      throw new Error("this browser lets a forged signature pass");
    }
  }

  function sampleOf(entries, keys) {
    for (const { receipt } of entries) {
      const one = receipt && receipt.signatures && receipt.signatures.find((each) => keys.some((key) => key.id === each.id));
      if (!one) continue;
      const message = join(utf8(`DSSEv1 ${TYPE.length} ${TYPE} ${receipt.payload.length} `), receipt.payload);
      return { key: keys.find((key) => key.id === one.id).raw, signature: one.signature, message };
    }
    return null;
  }

  function readEntry(spelled, at, data) {
    const line = fromBase64(spelled);
    const entry = { index: data.first + at, leaf: sha256(join([0], line)), receipt: null, error: "", facts: {} };
    try {
      entry.receipt = readReceipt(line);
      entry.outcome = outcomeOf(entry.receipt.document);
      entry.sentence = printable(sentence(entry.receipt.document));
      entry.facts.subject = subject(entry.receipt.document);
      entry.searched = `${entry.outcome} ${entry.sentence} ${text(entry.receipt.payload)}`.toLowerCase();
    } catch (fault) {
      entry.error = printable(fault instanceof Error ? fault.message : fault);
      entry.outcome = "unreadable";
      entry.sentence = `no receipt that can be read: ${entry.error}`;
      entry.searched = entry.sentence.toLowerCase();
    }
    return entry;
  }

  async function check(data, tell) {
    const keys = data.keys.map(readKey);
    const checkpoint = readCheckpoint(fromBase64(data.checkpoint));
    const entries = data.lines.map((line, at) => readEntry(line, at, data));
    await controls(sampleOf(entries, keys));
    const tree = new Tree(data.first, data.edge.map(fromBase64));
    const given = new Tree(data.first, data.edge.map(fromBase64));
    const roots = new Map([[tree.size, tree.root()]]);
    const ends = new Set(keys.filter((key) => key.revoked && key.revoked.after).map((key) => key.revoked.after.size));
    for (const [at, entry] of entries.entries()) {
      tree.add(entry.leaf);
      given.add(fromBase64(data.leaves[at]));
      if (ends.has(tree.size)) roots.set(tree.size, tree.root());
    }
    const root = tree.root();
    const holds = tree.size === checkpoint.size && same(root, checkpoint.root);
    const tilesHold = given.size === checkpoint.size && same(given.root(), checkpoint.root);
    const seen = new Set();
    for (const [at, entry] of entries.entries()) {
      const isThere = same(entry.leaf, fromBase64(data.leaves[at]));
      const isTwice = seen.has(hex(entry.leaf));
      seen.add(hex(entry.leaf));
      if (holds) entry.facts.included = { answer: "yes", why: `entry ${entry.index} of the tree of the checkpoint` };
      else if (!tilesHold) entry.facts.included = { answer: "no", why: "the log does not give the checkpoint's root" };
      else if (isThere) entry.facts.included = { answer: "yes", why: `entry ${entry.index} of the tree; others are not` };
      else entry.facts.included = { answer: "no", why: "the tree has another entry here: this one was changed" };
      if (isTwice) entry.facts.included = { answer: "no", why: "it stands earlier in the log too" };
      const isLogged = ({ revoked: { after } }) =>
        after !== null &&
        after.origin === checkpoint.origin &&
        entry.index < after.size &&
        roots.has(after.size) &&
        same(roots.get(after.size), fromBase64(after.root));
      if (entry.receipt !== null) entry.facts.authentic = await authenticity(entry.receipt, keys, isLogged);
      if (at % 100 === 99) tell(`checking: ${at + 1} of ${entries.length}`);
    }
    const signers = await checkpointSigners(checkpoint, keys);
    return { data, keys, checkpoint, entries, root, holds, tilesHold, signers };
  }

  globalThis.assayPage = { check, printable, sha256, canonical, hex };
})();
