import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";

const original = "export function show(order: Order) {\n  return order.total;\n}\n";
const generated = "function show(o){return o.total}";
/** Made by esbuild: the only line of the generated file, and `o.total` at column 24 of it. */
const map = JSON.stringify({
  version: 3,
  sources: ["../src/show.ts"],
  sourcesContent: [original],
  names: [],
  mappings: "AAAO,SAAS,KAAK,GAAc,CACjC,OAAO,EAAM,KACf",
});
const log = "TypeError: Cannot read properties of undefined (reading 'total')\n    at show (/srv/dist/show.js:1:27)\n";

async function placeWith(...files: readonly (readonly [name: string, text: string])[]): Promise<string | undefined> {
  const sources = files.map(([name, text]) => new SourceText("source_file", name, text));
  const [frame] = (await traceError(parseText(log), null, sources)).frames;
  return frame && `${frame.file}:${frame.place?.line}`;
}

describe("a frame of generated code", () => {
  it("leads to the original by the attached map", async () => {
    expect(await placeWith(["dist/show.js", generated], ["dist/show.js.map", map])).toBe("src/show.ts:2");
    expect(await placeWith(["dist/show.js.map", map])).toBe("src/show.ts:2");
  });

  it("leads to the original by the map inside the file", async () => {
    const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    expect(await placeWith(["dist/show.js", `${generated}\n${inline}\n`])).toBe("src/show.ts:2");
  });

  it("leads to the attached original when the map doesn't contain it", async () => {
    const bare = JSON.stringify({ ...JSON.parse(map), sourcesContent: undefined });
    expect(await placeWith(["dist/show.js", generated], ["dist/show.js.map", bare], ["src/show.ts", original])).toBe(
      "src/show.ts:2",
    );
  });

  describe("with a debug ID", () => {
    const id = "85314830-023f-4cf1-a267-535f4e37bb17";
    const another = "f2b0c7f4-1b1e-4b4e-9d4a-0c3a6a1f7e55";
    const code = `${generated}\n//# sourceMappingURL=show.js.map\n//# debugId=${id}\n`;
    const withId = (name: "debugId" | "debug_id", value: string) =>
      JSON.stringify({ ...JSON.parse(map), [name]: value });
    const elsewhere = JSON.stringify({ ...JSON.parse(map), sources: ["../src/other.ts"], debugId: another });

    it.each(["debugId", "debug_id"] as const)(
      "leads to the original by the map with its %s, wherever it is",
      async (name) => {
        const moved = ["maps/7f3a.map", withId(name, id.toUpperCase())] as const;
        expect(await placeWith(["dist/show.js", code], moved)).toBe("src/show.ts:2");
        expect(await placeWith(["dist/show.js", code], ["dist/show.js.map", elsewhere], moved)).toBe("src/show.ts:2");
      },
    );

    it("leads nowhere with a map of another ID, and to the original with one without an ID", async () => {
      expect(await placeWith(["dist/show.js", code], ["dist/show.js.map", elsewhere])).toBe("dist/show.js:1");
      expect(await placeWith(["dist/show.js", code], ["dist/show.js.map", map])).toBe("src/show.ts:2");
    });

    it("isn't one that only an embedded source has", async () => {
      const quoting = JSON.parse(map);
      quoting.sourcesContent = [`${original}// {"debugId": "${another}"}\n`];
      expect(await placeWith(["dist/show.js", code], ["dist/show.js.map", JSON.stringify(quoting)])).toBe(
        "src/show.ts:2",
      );
    });
  });

  it.each(["", "{", "[]", '{"version":3}', '{"version":3,"sources":["a"],"mappings":"!!!"}'])(
    "stays where it is with the map %j",
    async (broken) => {
      expect(await placeWith(["dist/show.js", generated], ["dist/show.js.map", broken])).toBe("dist/show.js:1");
    },
  );
});
