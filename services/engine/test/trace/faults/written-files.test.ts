import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, undefinedRead } from "../signals-in.ts";

const theme =
  "import { readFileSync } from 'node:fs';\nexport function theme() {\n  const { colors } = JSON.parse(readFileSync('data/theme.json', 'utf8'));\n  return colors.main;\n}\n";
const frame = "theme (/srv/theme.js:4:17)";
const save = (content: string, path = "data/theme.json"): string =>
  `import { writeFile } from 'node:fs/promises';\nexport async function save(req) {\n  const next = {};\n  ${content}\n  await writeFile('${path}', JSON.stringify(next));\n}\n`;

describe("a file that is written from a request", () => {
  const writtenIn = async (text: string, read = theme) =>
    ofKind(await signalsIn({ "theme.js": read, "save.js": text }, undefinedRead("main"), frame), "written-file");
  const copy = "for (const key of keys) next[key] = req.body[key];";

  it("is named where the failing value is read from it", async () => {
    const args = { file: "data/theme.json", code: "req.body[key]" };
    expect(await writtenIn(save(copy))).toEqual([{ line: 4, args }]);
    expect(await writtenIn(save("next.colors = req.body.colors;"))).toEqual([
      { line: 4, args: { ...args, code: "req.body.colors" } },
    ]);
  });

  it.each([
    ["another file is written", save(copy, "data/pages.json")],
    ["what is written isn't from a request", save("for (const key of keys) next[key] = defaults[key];")],
    ["the file is only read", save(copy).replace("await writeFile", "await readFile")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await writtenIn(text)).toEqual([]);
  });

  it("isn't suspected where the value isn't read from a file", async () => {
    const other = theme.replace("JSON.parse(readFileSync('data/theme.json', 'utf8'))", "find('data/theme.json')");
    expect(await writtenIn(save(copy), other)).toEqual([]);
  });
});
