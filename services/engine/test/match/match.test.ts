import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { categories } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { families, signatures } from "../../src/match/families.ts";
import { matchSignatures } from "../../src/match/match.ts";
import { SignatureIndex } from "../../src/match/signature-index.ts";
import { subjectOfLine } from "../../src/match/subject.ts";
import { parseText } from "../../src/parse/parse.ts";
import { investigated, textSubject } from "../investigated.ts";

/** Lines of real output: `signature | line`. `⏎` stands for the end of a line within one. */
function linesOf(file: string): { id: string; line: string }[] {
  return readFileSync(join(import.meta.dirname, `${file}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ id: line.slice(0, line.indexOf(" | ")), line: line.slice(line.indexOf(" | ") + 3) }));
}

const idsIn = (text: string): string[] =>
  matchSignatures(parseText(text.replaceAll("⏎", "\n"))).map(({ signature }) => signature.id);
/** Beginnings, middles and ends of what templates look for, in no order. */
const hostileParts = [
  "Error: ",
  "status code ",
  "429",
  "SQLSTATE[",
  "'",
  "`",
  '"',
  "{",
  "(",
  "\n",
  " ",
  "\t",
  "is not a function",
  "Cannot find module '",
  "HTTP/1.1",
  "code=",
  "exit",
  "ÿ",
  "\u{1F600}",
];

const matched = (text: string): string | undefined => idsIn(text)[0];

describe.each(Object.entries(families))("the family %s", (family, members) => {
  const lines = linesOf(family);

  it.each(lines)("recognises $id in: $line", ({ id, line }) => {
    expect(matched(line)).toBe(id);
  });

  it("has a line of real output for every signature, and for no other", () => {
    const ids = members.map(({ id }) => id);
    expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it("leaves no placeholder of its sentences in a report", async () => {
    for (const { line } of lines.slice(0, 5)) {
      const { report } = await investigated(textSubject(line.replaceAll("⏎", "\n")));
      const { evidence, ...written } = report;
      expect(JSON.stringify(written)).not.toMatch(/(?<!\$)\{[a-z]+\}/);
    }
  });
});

describe("lines that look like a failure", () => {
  it.each(linesOf("none"))("are not taken for $id: $line", ({ id, line }) => {
    if (id === "any") expect(idsIn(line)).toEqual([]);
    else expect(idsIn(line)).not.toContain(id);
  });

  it("name signatures that exist", () => {
    const known = ["any", ...signatures.map(({ id }) => id)];
    expect(linesOf("none").filter(({ id }) => !known.includes(id))).toEqual([]);
  });
});

describe("the table of signatures", () => {
  it("knows at least 250 failures", () => {
    expect(signatures.length).toBeGreaterThanOrEqual(250);
  });

  it("has a file of lines for each family, and for no other", () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".txt"));
    expect(files.sort()).toEqual([...Object.keys(families), "none"].map((family) => `${family}.txt`).sort());
  });

  it("gives each an id of its own, a category that exists and a primary source", () => {
    expect(new Set(signatures.map(({ id }) => id)).size).toBe(signatures.length);
    for (const { category, url, id } of signatures) {
      expect(categories, id).toContain(category);
      expect(url, id).toMatch(/^https:\/\/[\w.-]+\/\S*$/);
    }
  });

  it("gives each a sentence for what it means and for each remedy, and clauses for what else is seen", () => {
    for (const { id, meaning, shortTerm, longTerm, seenIfTrue, seenIfFalse } of signatures) {
      for (const sentence of [meaning, shortTerm, longTerm]) expect(sentence, id).toMatch(/^\W?[\p{Lu}`{<].*[.]$/u);
      for (const clause of [seenIfTrue, seenIfFalse]) expect(clause, id).not.toMatch(/[.]$|^$/);
    }
  });

  it("gives different advice for different failures", () => {
    const advice = signatures.map(({ seenIfTrue, shortTerm }) => `${seenIfTrue} ${shortTerm}`);
    expect(advice.filter((text, index) => advice.indexOf(text) !== index)).toEqual([]);
  });

  it("names in its sentences only what its templates take", () => {
    for (const { id, match, meaning, seenIfTrue, seenIfFalse, shortTerm, longTerm } of signatures) {
      const taken: readonly string[] =
        [...(match.message ?? []), ...(match.beside ?? [])].join("\n").match(/\{\w+\}/g) ?? [];
      const said = [meaning, seenIfTrue, seenIfFalse, shortTerm, longTerm].join("\n").match(/\{\w+\}/g) ?? [];
      expect(
        said.filter((name) => !taken.includes(name)),
        id,
      ).toEqual([]);
    }
  });
});

describe("a signature", () => {
  it("is matched against the innermost cause before what it caused", () => {
    const text = [
      "TypeError: fetch failed",
      "    at load (/srv/a.js:1:1) {",
      "  [cause]: Error: getaddrinfo ENOTFOUND db",
      "      at f (node:dns:1:1) {",
      "    code: 'ENOTFOUND'",
      "  }",
      "}",
    ].join("\n");
    expect(idsIn(text)).toEqual(["dns.enotfound", "undici.fetch-failed"]);
  });

  it("is matched against a text that holds no error by its code", () => {
    expect(matched("upstream connect error: ECONNREFUSED 10.0.0.1:80")).toBe("errno.econnrefused");
  });

  it("is not matched by a word that only contains the code", () => {
    expect(matched("the variable MY_ENOENT_COUNT rose")).toBeUndefined();
  });

  it("is found on any line of a text without an error, the more telling first", () => {
    const text = [
      "2m  Normal  Pulled  image",
      "1m  Warning  Unhealthy  readiness",
      "10s  dial tcp 10.0.0.7:80: connect: connection refused",
    ];
    expect(matched(text.join("\n"))).toBe("errno.econnrefused");
  });

  it("tells what it matched, and what its gaps took", () => {
    const [match] = matchSignatures(parseText("TypeError: Cannot read properties of undefined (reading 'name')"));
    expect(match?.matched).toBe("Cannot read properties of undefined (reading 'name')");
    expect(match?.groups).toEqual({ value: "undefined", property: "name" });
  });
});

describe("comparing an error with the table", () => {
  const index = new SignatureIndex(signatures);
  /** Of the table; a real line shares a word or code with no more than these. */
  const candidatesMax = 80;

  it("tries few of the signatures, whatever the line", () => {
    const lines = Object.keys(families).flatMap(linesOf);
    const tried = lines.map(({ line }) => index.candidatesFor(subjectOfLine(line.replaceAll("⏎", " "))).length);
    expect(Math.max(...tried)).toBeLessThan(candidatesMax);
  });

  it("finds what stands at the beginning and at the end of a text of a megabyte", () => {
    const filler = "2026-03-01T12:00:00Z INFO nothing happened here\n".repeat(20_000);
    expect(matched(`dial tcp 10.0.0.7:80: connect: connection refused\n${filler}`)).toBe("errno.econnrefused");
    expect(matched(`${filler}dial tcp 10.0.0.7:80: connect: connection refused`)).toBe("errno.econnrefused");
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostileParts), { maxLength: 60 }), (parts) => {
        for (const match of matchSignatures(parseText(parts.join("")))) expect(match.matched).not.toBe("");
      }),
    );
  });
});
