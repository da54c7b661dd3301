import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "./signals-in.ts";

describe("a data file", () => {
  const message = "SyntaxError: Unexpected end of JSON input";
  const stations = (read: string) => ({
    "stations.js": `import { settings } from "./settings.js";
const text = await readFile(${read}, "utf8");
export const stations = JSON.parse(text);
`,
    "settings.js": 'export const settings = { list: process.env.LIST ?? join(root, "stations.json") };\n',
  });

  it("is named where its path is written when its text couldn't be parsed", async () => {
    const signals = await signalsIn(stations("settings.list"), message, "file:///srv/stations.js:3:30");
    expect(ofKind(signals, "named-file")).toEqual([
      { line: 1, args: { name: "stations.json", file: "stations.json" } },
    ]);
  });

  it("is the attached one, if there is one", async () => {
    const files = { ...stations('"./data/stations.json"'), "app/data/stations.json": "[]" };
    const signals = await signalsIn(files, message, "file:///srv/stations.js:3:30");
    expect(ofKind(signals, "named-file")).toMatchObject([{ args: { file: "app/data/stations.json" } }]);
  });

  it.each([
    ["another text was made of it", "const stations = JSON.parse(text.split(';')[1]);"],
    ["it wasn't read", "const stations = JSON.parse(await fetchText('stations.json'));"],
    ["no parser refused it", "const stations = render(text);"],
  ])("isn't named when %s", async (_, use) => {
    const files = { "a.js": `const text = await readFile("stations.json", "utf8");\n${use}\n` };
    const column = use.indexOf("parse") > 0 ? use.indexOf("parse") + 1 : use.indexOf("render") + 1;
    expect(ofKind(await signalsIn(files, message, `file:///srv/a.js:2:${column}`), "named-file")).toEqual([]);
  });
});
