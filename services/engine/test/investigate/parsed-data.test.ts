import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

/** The whole report on a missing entry of what `load` parses, beside a data file without the entry. */
async function wordsOf(parsing: string, file: string, text: string): Promise<string> {
  const program = `import json
import tomllib

LIMITS = tomllib.loads(open("limits.toml").read())


def load(handler, path):
    ticket = ${parsing}
    return ticket["berth"] + 1
`;
  const log = `Traceback (most recent call last):
  File "/srv/harbor.py", line 9, in load
    return ticket["berth"] + 1
KeyError: 'berth'
`;
  const { report } = await investigated(textSubject(log, { "harbor.py": program, [file]: text }));
  return JSON.stringify(report);
}

describe("what a call parses", () => {
  it("may come from the data file in its format", async () => {
    expect(await wordsOf("json.loads(open(path).read())", "ticket.json", '{ "pier": 4 }\n')).toContain(
      "`ticket.json:1` has no `berth`",
    );
  });

  it.each([
    ["a file in another format", "json.loads(open(path).read())", "limits.toml", "pier = 4\n"],
    ["a file with another name", 'json.loads(open("ticket.json").read())', "limits.json", '{ "pier": 4 }\n'],
    ["a file, where a request is read", "json.loads(handler.rfile.read(20))", "limits.json", '{ "pier": 4 }\n'],
  ])("doesn't come from %s", async (_, parsing, file, text) => {
    expect(await wordsOf(parsing, file, text)).not.toContain(`\`${file}:1\``);
  });
});

describe("an entry of a data file that others are like", () => {
  it("isn't accused in place of the one that failed", async () => {
    const program = `import json

for box in json.loads(open("boxes.json").read()):
    weight = int(box["weight"])
`;
    const log = `Traceback (most recent call last):
  File "/srv/scale.py", line 4, in <module>
    weight = int(box["weight"])
ValueError: invalid literal for int() with base 10: '7 kg'
`;
    const boxes = '[\n  { "id": 1, "weight": "3" },\n  { "id": 2, "weight": "7 kg" }\n]\n';
    const { report } = await investigated(textSubject(log, { "scale.py": program, "boxes.json": boxes }));
    const words = JSON.stringify(report);
    expect(words).toContain("sets `weight`, the first of several entries that do");
    expect(words).not.toMatch(/Correct `weight`|log line at `boxes\.json/);
  });
});

it("lacks no method that the code calls on one of its values", async () => {
  const files = {
    "passes.js": `const { readFileSync } = require("node:fs");
const passes = JSON.parse(readFileSync("passes.json", "utf8"));
function left(pass, now) {
  return pass.until.getTime() - now;
}
exports.leftOf = (id, now) => left(passes[id], now);
`,
    "passes.json": '{ "p1": { "until": "2026-03-01" } }\n',
  };
  const log = `TypeError: pass.until.getTime is not a function
    at left (/srv/passes.js:4:21)
    at exports.leftOf (/srv/passes.js:6:31)
`;
  const { report } = await investigated(textSubject(log, files));
  expect(JSON.stringify(report)).not.toContain("has no `getTime`");
});
