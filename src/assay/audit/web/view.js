"use strict";
// Shows what check.js found. Whatever a receipt holds reaches the document as text alone.

(() => {
  const AT_ONCE = 50; // receipts that are in the document at a time
  const { check, printable } = globalThis.assayPage;
  const place = (id) => document.getElementById(id);
  const UNCHECKED = { answer: "not checked here", why: "it takes the evidence or the suite: assay receipt verify" };
  const FACTS = [
    ["authentic", "Signed by a key of this page"],
    ["included", "In the log of the checkpoint"],
    ["subject", "Its subject is what it is about"],
    ["re-derives", "The decision follows"],
  ];

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children.map((child) => (typeof child === "string" ? document.createTextNode(child) : child)));
    return made;
  }

  const MARKS = { yes: "✓", no: "✗", unknown: "?", unsigned: "–" };

  function factLine(title, { answer, why }) {
    const mark = element("span", { class: `mark ${answer.split(" ")[0]}`, "aria-hidden": "true" }, MARKS[answer] || "·");
    return element("li", {}, mark, element("b", {}, ` ${title}: `), `${answer}${why ? ` (${printable(why)})` : ""}`);
  }

  const factOf = (entry, name) =>
    name === "re-derives" ? UNCHECKED : entry.facts[name] || { answer: "not possible here", why: "it cannot be read" };

  const isWrong = (entry) => entry.receipt === null || Object.values(entry.facts).some(({ answer }) => answer === "no");

  // Indented JSON; control characters of texts are escapes there already, format characters are made so.
  const indented = (found) => JSON.stringify(found, null, 1).split("\n").map(printable).join("\n");

  function card(entry) {
    const badge = element("span", { class: `badge ${entry.outcome.toLowerCase()}` }, printable(entry.outcome));
    const wrong = isWrong(entry) ? [element("span", { class: "badge wrong" }, "does not verify")] : [];
    const head = element(
      "summary",
      {},
      element("span", { class: "index" }, `${entry.index}`),
      badge,
      ...wrong,
      element("span", { class: "words" }, entry.sentence),
    );
    const facts = FACTS.map(([name, title]) => factLine(title, factOf(entry, name)));
    const made = element("details", { class: "card" }, head, element("ul", { class: "facts" }, ...facts));
    // What is inside is made when it is opened: 1,000 receipts stay quick.
    made.addEventListener(
      "toggle",
      () => {
        const hash = globalThis.assayPage.hex(entry.leaf);
        made.append(element("p", { class: "small" }, `leaf hash ${hash}`));
        if (entry.receipt !== null) made.append(element("pre", { tabindex: "0" }, indented(entry.receipt.document)));
      },
      { once: true },
    );
    return made;
  }

  function logFacts(found) {
    const { checkpoint, data, holds, tilesHold, signers, entries } = found;
    const root = holds ? "" : tilesHold ? "an entry that is here was changed" : "neither entries nor tiles give it";
    const list = [["The entries give the root of the checkpoint", { answer: holds ? "yes" : "no", why: root }]];
    let signed = { answer: "unknown", why: "no key of this page signed it" };
    if (checkpoint.signers.length === 0) signed = { answer: "unsigned", why: "" };
    if (signers.cannot.length > 0) signed = { answer: "not possible here", why: "this browser has no Ed25519" };
    if (signers.right.length > 0) signed = { answer: "yes", why: signers.right.join(", ") };
    if (signers.wrong.length > 0) signed = { answer: "no", why: `not the signature of ${signers.wrong.join(", ")}` };
    list.push(["The checkpoint is signed by a key of this page", signed]);
    const whole = "a log that was cut looks like this one; hold a checkpoint of your own against it";
    list.push(["Nothing was cut off", { answer: "unknown", why: whole }]);
    const wrong = entries.filter(isWrong).length;
    const looked = wrong > 0 ? `${wrong} of ${entries.length}: see below` : `${entries.length} looked at`;
    list.push(["Nothing speaks against any receipt", { answer: wrong > 0 ? "no" : "yes", why: looked }]);
    if (data.first > 0) {
      const why = `the ${data.first} before them are in the tree by their hashes only`;
      list.push(["On this page", { answer: `the last ${entries.length} receipts`, why }]);
    }
    return list;
  }

  function show(found) {
    const { checkpoint, entries, keys } = found;
    place("origin").textContent = `${printable(checkpoint.origin)}, ${checkpoint.size} receipts`;
    place("log").replaceChildren(...logFacts(found).map(([title, fact]) => factLine(title, fact)));
    place("keys").replaceChildren(
      ...keys.map((key) => element("li", {}, `${printable(key.name)}${key.revoked === null ? "" : " (revoked)"}: `, element("code", {}, key.id))),
    );
    if (keys.length === 0) place("keys").append(element("li", {}, "none: nobody's signature counts here"));
    const outcomes = [...new Set(entries.map((entry) => entry.outcome))].sort();
    const counted = (word) => entries.filter((entry) => entry.outcome === word).length;
    place("outcome").append(
      ...outcomes.map((word) => element("option", { value: word }, `${printable(word).replace("_", " ")} (${counted(word)})`)),
      element("option", { value: "!" }, `does not verify (${entries.filter(isWrong).length})`),
    );
    let at = 0;
    let chosen = [];
    const turn = () => {
      const part = chosen.slice(at, at + AT_ONCE);
      place("list").replaceChildren(...part.map(card));
      const last = at + part.length;
      place("where").textContent = part.length === 0 ? "nothing found" : `${at + 1} to ${last} of ${chosen.length}`;
      place("back").disabled = at === 0;
      place("on").disabled = last >= chosen.length;
    };
    const choose = () => {
      const words = place("search").value.toLowerCase().split(/\s+/);
      const outcome = place("outcome").value;
      const fits = (entry) => (outcome === "!" ? isWrong(entry) : outcome === "" || entry.outcome === outcome);
      chosen = entries.filter((entry) => fits(entry) && words.every((word) => entry.searched.includes(word))).reverse();
      at = 0;
      turn();
    };
    place("search").addEventListener("input", choose);
    place("outcome").addEventListener("change", choose);
    for (const [id, by] of [["back", -AT_ONCE], ["on", AT_ONCE]]) {
      place(id).addEventListener("click", () => {
        at += by;
        turn();
        place("list").scrollIntoView();
      });
    }
    place("tools").hidden = false;
    choose();
  }

  async function main() {
    const tell = (words) => {
      place("origin").textContent = words;
    };
    try {
      tell("checking");
      const data = JSON.parse(place("data").textContent);
      show(await check(data, tell));
      document.body.dataset.state = "checked";
    } catch (fault) {
      tell(`Nothing is said of this log: ${printable(fault instanceof Error ? fault.message : fault)}.`);
      document.body.dataset.state = "failed";
    }
  }

  main();
})();
