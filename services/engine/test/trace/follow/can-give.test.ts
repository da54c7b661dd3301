import { describe, expect, it } from "vitest";
import { signalsIn, stepsOf, undefinedRead } from "../signals-in.ts";

const twoQuotes = (written: string) => ({
  "quote.js": `import { format } from "./format.js";
import { latest } from "./latest.js";
const quote = latest();
format(quote.expires);
`,
  "latest.js": `import { readFeed } from "./feed.js";
export function latest() {
  if (demo) return sample();
  return JSON.parse(feed.body);
}
function sample() {
  return { symbol: "ACME", expires: ${written} };
}
`,
  "format.js": `export function format(expires) {
  return new Date(expires).toISOString();
}
`,
});
const frames = ["format (/srv/format.js:2:28)", "/srv/quote.js:4:1"];

describe("a literal text", () => {
  it("isn't the origin when it is valid in the form that was rejected", async () => {
    const steps = stepsOf(await signalsIn(twoQuotes('"2030-01-31"'), "RangeError: Invalid time value", ...frames));
    expect(steps).toContain("parsed-text latest.js:4");
    expect(steps).not.toContain("return latest.js:3");
    expect(steps).not.toContain("return latest.js:7");
  });

  it("is the origin when it isn't valid in that form", async () => {
    const steps = stepsOf(
      await signalsIn(twoQuotes('"31.01.2030 at noon"'), "RangeError: Invalid time value", ...frames),
    );
    expect(steps).toContain("property latest.js:7");
  });

  it.each([
    ["TypeError: Invalid URL", "new URL(address)", '"https://api.example/v2"', '"//api.example"'],
    ["SyntaxError: Unexpected end of JSON input", "JSON.parse(address)", "'{\"a\": 1}'", "'{\"a\":'"],
    ["URIError: URI malformed", "decodeURIComponent(address)", '"caf%C3%A9"', '"100%"'],
  ])("is judged by the form that was to be read: %s", async (message, use, good, bad) => {
    const found = async (written: string) => {
      const files = { "a.js": `const address = pick() ?? ${written};\n${use};\n` };
      return stepsOf(await signalsIn(files, message, "f (/srv/a.js:2:1)"));
    };
    expect(await found(good)).not.toContain("fallback a.js:1");
    expect(await found(bad)).toContain("fallback a.js:1");
  });

  it("is still the origin when it was first turned into another text", async () => {
    const files = { "a.js": 'const start = "2030-01-31";\nnew Date(start.concat(suffix)).toISOString();\n' };
    const steps = stepsOf(await signalsIn(files, "RangeError: Invalid time value", "f (/srv/a.js:2:32)"));
    expect(steps).toContain("literal a.js:1");
  });

  it("isn't the missing field of an object that contains it", async () => {
    const files = {
      "a.js":
        'function load(id) {\n  if (!id) return { id: 0, owner: "none" };\n  return rows.get(id);\n}\nload(3).owner.trim();\n',
    };
    const steps = stepsOf(await signalsIn(files, undefinedRead("trim"), "f (/srv/a.js:5:15)"));
    expect(steps).toContain("return a.js:3");
    expect(steps).not.toContain("return a.js:2");
  });

  it("is still followed when nothing else is returned", async () => {
    const files = {
      "a.js": 'function start() {\n  return { at: "2030-01-31" };\n}\nnew Date(start().at).toISOString();\n',
    };
    const steps = stepsOf(await signalsIn(files, "RangeError: Invalid time value", "f (/srv/a.js:4:22)"));
    expect(steps).toContain("return a.js:2");
  });
});

describe("an option of a call whose code wasn't given", () => {
  it("isn't the value that results from it", async () => {
    const files = {
      "a.js":
        'const reader = new Reader({ strict: true, source: input });\nconst row = reader.next("first");\nopen(row).seek(1);\n',
    };
    const steps = stepsOf(await signalsIn(files, "RangeError: out of range", "f (/srv/a.js:3:11)"));
    expect(steps).toContain("assignment a.js:1");
    expect(steps).not.toContain("literal a.js:1");
  });
});

describe("an object without a key", () => {
  const files = {
    "labels.js": "const { parse } = require('./parse');\nexports.print = (raw) => new Array(parse(raw).count);\n",
    "parse.js":
      "exports.parse = function parse(raw) {\n  if (!raw) return { error: 'empty' };\n  return { count: raw.count };\n};\n",
  };
  const stepsFor = async (message: string) => stepsOf(await signalsIn(files, message, "print (/srv/labels.js:2:26)"));

  it("can't give a value that the error says was of a type", async () => {
    const steps = await stepsFor("RangeError: Invalid array length");
    expect(steps).toContain("return parse.js:3");
    expect(steps.join("\n")).not.toContain("parse.js:2");
  });

  it("can give a value about which nothing is known", async () => {
    expect(await stepsFor("Error: refused")).toContain("missing-key parse.js:2");
  });
});
