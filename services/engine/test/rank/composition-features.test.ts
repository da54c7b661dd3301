import { describe, expect, it } from "vitest";
import { rankingFeatures } from "../../src/ranking.ts";

/** How often each construct occurs in a file: as a whole (`code`), or around what leads to it (`near`). */
async function compositionIn(
  file: string,
  log: string,
  files: Readonly<Record<string, string>>,
  part: "code" | "near" = "code",
): Promise<Record<string, number>> {
  const given = Object.entries(files).map(([name, content]) => ({ name, content }));
  const made = await rankingFeatures(log, given);
  const values = made.files.find((one) => one.file === file)?.values ?? {};
  const own = Object.entries(values).filter(([name, value]) => name.startsWith(`${part}-`) && value > 0);
  return Object.fromEntries(own.map(([name, value]) => [name.slice(part.length + 1), Math.round(Math.expm1(value))]));
}

const javascript = `import { rates } from "./rates.js";
export async function total(items) {
  if (items.length === 0 || rates === null) throw new Error("nothing");
  const sum = await add(JSON.parse(items), 1);
  return sum * 2;
}
total([]);
`;
const javascriptLog = `Error: nothing
    at total (/srv/app/src/total.js:3:52)
`;
const python = `from .rates import rates
async def total(items):
    if len(items) == 0 or rates is None:
        raise ValueError("nothing")
    sum = await add(json.loads(items), 1)
    return sum * 2
total([])
`;
const pythonLog = `Traceback (most recent call last):
  File "/srv/app/src/total.py", line 4, in total
    raise ValueError("nothing")
ValueError: nothing
`;

describe("what a file's code is made of", () => {
  const common = {
    ...{ import: 1, function: 1, async: 1, await: 1, if: 1, alternative: 1, comparison: 2, throw: 1, return: 1 },
    ...{ parsing: 1, arithmetic: 1, nothing: 1, string: 1, number: 3, list: 1, moduleCall: 1 },
  };

  it("is counted in terms of every language", async () => {
    expect(await compositionIn("src/total.js", javascriptLog, { "src/total.js": javascript })).toMatchObject(common);
    expect(await compositionIn("src/total.py", pythonLog, { "src/total.py": python })).toMatchObject(common);
  });

  it("has nothing for a file that wasn't given, or isn't code", async () => {
    const files = { "src/rates.json": '{ "today": 1 }' };
    expect(await compositionIn("src/rates.json", javascriptLog, files)).toEqual({});
    expect(await compositionIn("src/total.js", javascriptLog, files)).toEqual({});
  });

  it("says nothing where no call of a stack is in the files", async () => {
    expect(await compositionIn("src/total.js", "Error: nothing\n", { "src/total.js": javascript })).toEqual({});
  });

  it("is counted again in the functions that the stack or a signal leads to, each once", async () => {
    const code = `export function first(a) {
  return second(a) + second(a);
}
function second(b) {
  if (b) return b.name.length;
  return 0;
}
function unrelated() {
  while (true) break;
}
`;
    const log = `TypeError: Cannot read properties of undefined (reading 'length')
    at second (/srv/app/src/names.js:5:24)
    at second (/srv/app/src/names.js:5:17)
`;
    const near = await compositionIn("src/names.js", log, { "src/names.js": code }, "near");
    expect(near).toMatchObject({ function: 2, if: 1, return: 3 });
    expect(near).not.toHaveProperty("loop");
    expect(await compositionIn("src/names.js", log, { "src/names.js": code })).toMatchObject({ function: 3, loop: 1 });
  });
});
