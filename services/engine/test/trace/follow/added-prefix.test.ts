import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../investigated.ts";

describe("a message that has more before the text of its throw", () => {
  const reportOf = async (written: string, message: string): Promise<string> => {
    const text = `function look(shelf, tag) {\n  if (!shelf.has(tag)) throw ${written};\n}\n`;
    const log = `Error: ${message}\n    at look (/srv/shelf.js:2:30)\n`;
    const { report } = await investigated(textSubject(log, { "shelf.js": text }));
    return JSON.stringify(report);
  };

  it.each(["new Error('unknown crate ' + tag)", "Object.assign(new Error(`unknown crate ${tag}`), { status: 404 })"])(
    "became that after it was caught: %s",
    async (written) => {
      const said = await reportOf(written, "shelves: unknown crate Z9");
      expect(said).toContain("throws what became `shelves: unknown crate Z9`");
    },
  );

  it.each([
    ["new Error('unknown crate ' + tag)", "unknown crate Z9"],
    ["new Error(`${shelf.name}: unknown crate ${tag}`)", "shelves: unknown crate Z9"],
    ["new ShelfError('unknown crate ' + tag)", "shelves: unknown crate Z9"],
    ["new Error(texts.unknown)", "shelves: unknown crate Z9"],
  ])("is what the throw, or its class, may have written: %s", async (written, message) => {
    const said = await reportOf(written, message);
    expect(said).toContain(`throws \`${message}\``);
    expect(said).not.toContain("what became");
  });
});
