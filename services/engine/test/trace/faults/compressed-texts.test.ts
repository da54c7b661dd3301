import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const log =
  "SyntaxError: Unexpected token '\u001F', \"\u001F\uFFFD\b\"... is not valid JSON\n    at JSON.parse (<anonymous>)\n    at readOrder (/srv/read.js:2:15)\n";
const parts = {
  "read.js": "export async function readOrder(request) {\n  return JSON.parse(request.bytes.toString());\n}\n",
  "unpack.js":
    'import { gunzipSync } from "node:zlib";\nexport function unpack(request) {\n  request.bytes = gunzipSync(request.bytes);\n}\n',
};
const using = (steps: string): string =>
  `import { readOrder } from "./read.js";\nimport { unpack } from "./unpack.js";\n${steps}\n`;

async function foundIn(steps: string, error = log): Promise<object[]> {
  return ofKind((await traced(error, { ...parts, "server.js": using(steps) })).signals, "compressed-text");
}

describe("compressed bytes that are read as text", () => {
  it.each([
    "server.use(readOrder);\nserver.use(unpack);",
    "server.use(readOrder).use(unpack);",
    "const steps = [readOrder, unpack];",
  ])("are read before they are inflated: %s", async (steps) => {
    expect(await foundIn(steps)).toEqual([{ line: 3, args: { reads: "readOrder", inflates: "unpack" } }]);
  });

  it.each(["server.use(unpack);\nserver.use(readOrder);", "server.use(readOrder);"])(
    "aren't where the order is right, or nothing inflates them: %s",
    async (steps) => {
      expect(await foundIn(steps)).toEqual([]);
    },
  );

  it("aren't looked for where the text shows none", async () => {
    const other = log.replaceAll("\u001F\uFFFD\b", "order=1").replaceAll("\u001F", "o");
    expect(await foundIn("server.use(readOrder);\nserver.use(unpack);", other)).toEqual([]);
  });
});
