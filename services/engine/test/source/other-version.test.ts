import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";
import { type Files, traced } from "../trace/signals-in.ts";

const stack = (...lines: readonly number[]): string =>
  `TypeError: Cannot read properties of undefined (reading 'net')\n${lines.map((line) => `    at /srv/shop/total.js:${line}:5\n`).join("")}    at main (/srv/shop/main.js:3:1)\n`;
const total = [
  ...["export function total(lines) {", "  // The tax is added later.", "  const first = lines[0];", ""],
  ...["  /*", "   * Prices are net.", "   */", "  return sum(first.net,", "    lines);", "}", ""],
].join("\n");
const files: Files = { "shop/total.js": total, "shop/main.js": "import { total } from './total.js';\n\ntotal([]);\n" };

/** The files whose lines are taken for those that ran. */
async function placedFiles(log: string, given = files): Promise<string[]> {
  const { frames } = await traced(log, given);
  return frames.flatMap(({ place }) => (place ? [`${place.file}:${place.line}`] : []));
}

describe("a file of another version than the one that ran", () => {
  it.each([
    ["a blank line", 4],
    ["a comment", 2],
    ["the middle of a comment", 6],
    ["a line past its end", 40],
  ])("shows by %s on the stack, and none of its lines counts", async (_, line) => {
    expect(await placedFiles(stack(8, line))).toEqual(["shop/main.js:3"]);
  });

  it("shows by a function that is elsewhere", async () => {
    const log = stack(3).replace("at /srv", "at net (/srv").replace(":3:5", ":3:5)\n    at /srv/shop/total.js:8:10");
    const text = `${total}\nexport function net(line) {\n  return line.net;\n}\n`;
    expect(await placedFiles(log, { ...files, "shop/total.js": text })).toEqual(["shop/main.js:3"]);
  });

  it("doesn't show by lines of code, whatever is on them", async () => {
    expect(await placedFiles(stack(8, 9, 3))).toEqual([
      "shop/total.js:8",
      "shop/total.js:9",
      "shop/total.js:3",
      "shop/main.js:3",
    ]);
  });

  it("doesn't show by lines that look like comments of another language", async () => {
    const log = `/srv/shop/total.rb:2:in \`total': no prices (RuntimeError)\n`;
    const text = "def total(lines)\n  *first, last = lines.fetch(0)\nend\n";
    expect(await placedFiles(log, { "shop/total.rb": text })).toEqual(["shop/total.rb:2"]);
  });

  it("is reported with the line that shows it, and no line of it is marked", async () => {
    const { report } = await investigated(textSubject(stack(8, 4), files));
    expect(report.not_checked).toContain(
      "Source: `shop/total.js` is of another version than the one that ran: the stack's line 4 is blank there.",
    );
    expect(JSON.stringify(report)).not.toContain("first.net");
  });
});
