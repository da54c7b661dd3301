import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../../investigated.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../../reported-event.ts";
import { ofKind, signalsIn } from "../../trace/signals-in.ts";

describe("a damaged data file", () => {
  const program: Program = {
    "/srv/transit/src/stops.js": `import { readFile } from "node:fs/promises";
import { paths } from "./paths.js";

export async function loadStops() {
  return JSON.parse(await readFile(paths.stops, "utf8"));
}
`,
    "/srv/transit/src/paths.js": `import { join } from "node:path";

export const paths = {
  stops: process.env.STOPS_FILE ?? join(import.meta.dirname, "stops.json"),
};
`,
  };

  const reportWith = async (given: Program): Promise<Report> => {
    const frames = [frameAt(program, "/srv/transit/src/stops.js", "parse(", "loadStops")];
    const message = "Unterminated string in JSON at position 210 (line 9 column 14)";
    const subject = eventSubject(reportedEvent({ exceptions: [exception("SyntaxError", message, frames)] }), "transit");
    if (subject.input.kind !== "event") throw new Error("not an event");
    const files = Object.entries({ ...program, ...given }).map(([name, content]) => ({
      ...{ name, content, path: name.replace("/srv/transit/", ""), version: "uploaded for 1.4.2" },
    }));
    return (await investigated({ ...subject, input: { ...subject.input, files } })).report;
  };

  it("is named, even though its text wasn't given", async () => {
    const { root_cause: cause, root_cause_summary: headline, short_term_solutions } = await reportWith({});
    expect(cause).toMatchObject({ category: "parse-error", location: { file: "stops.json", line: null } });
    expect(headline).toMatch(/^Most likely: the text of `stops.json`, named at `src\/paths.js:4`, can't be parsed, so/);
    expect(short_term_solutions[0]?.title).toBe("Restore `stops.json` on the hosts that fail");
  });

  it("is named when the copy that was given is whole", async () => {
    const { root_cause: cause } = await reportWith({ "/srv/transit/src/stops.json": '[{ "name": "Main St" }]' });
    expect(cause.location?.file).toBe("/srv/transit/src/stops.json");
  });
});

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
