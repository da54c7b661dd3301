import { describe, expect, it } from "vitest";
import { signalsIn, stepsOf, undefinedRead } from "../signals-in.ts";

/** The literals that are followed as the key of an element that was missing. */
async function keysFollowed(table: string, key: string): Promise<string[]> {
  const text = [
    `const table = ${table};`,
    "function next() {",
    `  return ${key};`,
    "}",
    "const row = table[next()];",
    "row.id;",
  ].join("\n");
  const signals = await signalsIn({ "show.js": text }, undefinedRead("id"), "/srv/show.js:6:5");
  return stepsOf(signals).filter((step) => step.endsWith("show.js:3"));
}

describe("the key of an element that was missing", () => {
  it("isn't one that the table has", async () => {
    expect(await keysFollowed("{ a: first, b: second }", "done ? 'a' : 'c'")).toContain("fallback show.js:3");
    expect(await keysFollowed("{ a: first, b: second }", "done ? 'a' : 'b'")).not.toContain("fallback show.js:3");
  });

  it.each(["{ a: undefined }", "{ ...others }", "load()"])("may be one that the table may lack: %s", async (table) => {
    expect(await keysFollowed(table, "done ? 'a' : other")).toContain("fallback show.js:3");
  });

  it("may be made of one that the table has", async () => {
    expect((await keysFollowed("{ a: first }", "'a'.trim(done)")).length).toBeGreaterThan(1);
  });
});
