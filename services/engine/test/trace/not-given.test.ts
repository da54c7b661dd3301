import { describe, expect, it } from "vitest";
import { type Files, traced, undefinedRead } from "./signals-in.ts";

/** What is noted as not given, as `name module`. */
async function notGiven(log: string, files: Files): Promise<string[]> {
  const { outOfSight } = await traced(log, files);
  return outOfSight.flatMap((gap) => (gap.kind === "file-not-given" ? [`${gap.name} ${gap.module}`] : []));
}

const script = (...frames: readonly string[]): string =>
  [undefinedRead("weight"), ...frames.map((one) => `    at ${one}`)].join("\n");
const sort = "sort (/srv/src/sort.js:5:15)";
const js = (first: string, value: string): Files => ({
  "src/sort.js": `${first}\n\nexport function sort(name) {\n  const one = ${value};\n  return one.weight;\n}\n`,
});

describe("what gives the failing value and wasn't given", () => {
  it.each([
    ["a function", "import { graderOf } from './graders.js';", "graderOf(name)", ["graderOf src/graders.js"]],
    ["an object", "import graders from '../graders/index.js';", "graders.of(name)", ["graders graders/index.js"]],
    ["by `require`", "const { graderOf } = require('./graders');", "graderOf(name)", ["graderOf src/graders"]],
    ["for each", "import { graderOf } from './graders.js';", "[name].map(graderOf)[0]", ["graderOf src/graders.js"]],
    ["a package's function", "import { graderOf } from 'graders';", "graderOf(name)", []],
    ["a module of Node.js", "import { parse } from 'node:path';", "parse(name).grade", []],
    ["its own function", "const graderOf = (name) => undefined;", "graderOf(name)", []],
  ])("is noted with its module: %s", async (_, first, value, noted) => {
    expect(await notGiven(script(sort), js(first, value))).toEqual(noted);
  });

  it("isn't what was given", async () => {
    const files = {
      ...js("import { graderOf } from './graders.js';", "graderOf(name)"),
      "src/graders.js": "const graders = new Map();\nexport const graderOf = (name) => graders.get(name);\n",
    };
    expect(await notGiven(script(sort), files)).toEqual([]);
  });

  it("isn't what only takes the value, or what the failing line doesn't need", async () => {
    const first = "import { log } from './log.js';";
    const files = js(`${first}\nlog(1);`.replace("\n", " "), "names[name]; log(name)");
    expect(await notGiven(script(sort), files)).toEqual([]);
  });

  it("is a class of the same program whose methods are asked, in Java", async () => {
    const log =
      'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because the return value of "rink.track.Track.name()" is null\n\tat rink.ice.Plan.cells(Plan.java:8)\n';
    const files = {
      "rink/ice/Plan.java":
        "package rink.ice;\n\nimport java.util.List;\nimport rink.track.Track;\n\nclass Plan {\n    int cells(Track track) {\n        return track.name().length();\n    }\n}\n",
    };
    expect(await notGiven(log, files)).toEqual(["Track rink.track.Track"]);
  });

  it("is a module of the same package in Python, and none of the standard library", async () => {
    const log = `Traceback (most recent call last):\n  File "/srv/shop/orders.py", line 6, in total\n    return price.net\nAttributeError: 'NoneType' object has no attribute 'net'\n`;
    const orders = (value: string) =>
      `from shop.prices import price_of\nfrom json import loads\n\ndef total(line):\n    price = ${value}\n    return price.net\n`;
    expect(await notGiven(log, { "shop/orders.py": orders("price_of(line)") })).toEqual(["price_of shop.prices"]);
    expect(await notGiven(log, { "shop/orders.py": orders("loads(line)") })).toEqual([]);
  });
});
