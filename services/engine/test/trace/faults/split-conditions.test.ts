import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const log =
  'Traceback (most recent call last):\n  File "/srv/show.py", line 4, in show\n    return unzip(path)\nBadZipFile: File is not a zip file\n';
const show =
  "def show(photo):\n    path = photo.path\n    if photo.zipped:\n        return unzip(path)\n    return read(path)\n";
const store = (decided: string, done: string, name = "zipped"): string =>
  `def store(sent):\n    photo = Photo(path=sent.name, ${name}=${decided})\n    if ${done}:\n        write_zipped(sent)\n    else:\n        write(sent)\n    return photo\n`;

describe("a flag that another condition decides", () => {
  const splitIn = async (text: string, shown = show) =>
    ofKind((await traced(log, { "show.py": shown, "store.py": text })).signals, "split-condition");
  const one = 'sent.type != "zip"';

  it("is named where the failing code runs under it", async () => {
    const args = { flag: "zipped", decided: one, done: "sent.type not in packed" };
    expect(await splitIn(store(one, "sent.type not in packed"))).toEqual([{ line: 2, args }]);
  });

  it.each([
    ["both conditions are the same", store(one, one)],
    ["one negates the other", store(one, 'sent.type == "zip"')],
    ["the conditions test other values", store(one, "sent.size > 100")],
    ["the flag is of another name", store(one, "sent.type not in packed", "shared")],
    ["the branches do the same", store(one, "sent.type not in packed").replace("write(sent)", "write_zipped(sent)")],
  ])("isn't suspected where %s", async (_, text) => {
    expect(await splitIn(text)).toEqual([]);
  });

  it("isn't suspected where the failing code doesn't run under it", async () => {
    const other = show.replace("if photo.zipped:", "if photo.path:");
    expect(await splitIn(store(one, "sent.type not in packed"), other)).toEqual([]);
  });

  it("is found in JavaScript", async () => {
    const text =
      "export function store(sent) {\n  const photo = { path: sent.name, zipped: sent.type !== 'zip' };\n  if (!packed.includes(sent.type)) {\n    writeZipped(sent);\n  } else {\n    write(sent);\n  }\n  return photo;\n}\n";
    const shown = "export function show(photo) {\n  if (photo.zipped) {\n    return unzip(photo.path);\n  }\n}\n";
    const said =
      "Error: not a zip file\n    at unzip (/srv/node_modules/zip/index.js:1:1)\n    at show (/srv/show.js:3:12)";
    const { signals } = await traced(said, { "show.js": shown, "store.js": text });
    expect(ofKind(signals, "split-condition")).toEqual([
      { line: 2, args: { flag: "zipped", decided: "sent.type !== 'zip'", done: "!packed.includes(sent.type)" } },
    ]);
  });
});
