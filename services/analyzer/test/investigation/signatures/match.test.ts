import { readFileSync } from "node:fs";
import { join } from "node:path";
import { categories } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/investigation/parse/parse.ts";
import { families, signatures } from "../../../src/investigation/signatures/families.ts";
import { matchSignatures } from "../../../src/investigation/signatures/match.ts";
import { investigated, textSubject } from "../engine/investigated.ts";

/** Lines of real output: `signature | line`. */
function linesOf(family: string): { id: string; line: string }[] {
  return readFileSync(join(import.meta.dirname, `${family}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ id: line.slice(0, line.indexOf(" | ")), line: line.slice(line.indexOf(" | ") + 3) }));
}

const matched = (text: string): string | undefined => matchSignatures(parseText(text))[0]?.signature.id;

describe.each(Object.entries(families))("the family %s", (family, members) => {
  const lines = linesOf(family);

  it.each(lines)("recognises $id in: $line", ({ id, line }) => {
    expect(matched(line)).toBe(id);
  });

  it.each(lines)("leaves no placeholder of its sentences in the report on: $line", async ({ line }) => {
    const { report } = await investigated(textSubject(line));
    const { evidence, ...written } = report;
    expect(JSON.stringify(written)).not.toMatch(/\{(?:module|name|named|property|status|value|variable)\}/);
  });

  it("has a line of real output for every signature", () => {
    expect(members.filter(({ id }) => !lines.some((line) => line.id === id)).map(({ id }) => id)).toEqual([]);
  });
});

describe("a signature", () => {
  it("has an id of its own, a category that exists and a primary source", () => {
    expect(new Set(signatures.map(({ id }) => id)).size).toBe(signatures.length);
    for (const { category, url, id } of signatures) {
      expect(categories, id).toContain(category);
      expect(url, id).toMatch(/^https:\/\//);
    }
  });

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
    expect(matchSignatures(parseText(text)).map(({ signature }) => signature.id)).toEqual([
      "dns.enotfound",
      "http.fetch-failed",
    ]);
  });

  it("is matched against a text that holds no error by its code", () => {
    expect(matched("upstream connect error: ECONNREFUSED 10.0.0.1:80")).toBe("errno.econnrefused");
  });

  it("is not matched by a word that only contains the code", () => {
    expect(matched("the variable MY_ENOENT_COUNT rose")).toBeUndefined();
  });
});
