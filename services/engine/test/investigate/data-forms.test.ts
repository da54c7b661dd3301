import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const plans = `{
  "basic": { "seats": [1, 2], "label": "Basic" },
  "team": { "seats": 5, "label": "Team" }
}
`;
const lookup = `const plans = require("../data/plans.json");
exports.planOf = (name) => plans[name];
`;
const offer = `const { planOf } = require("./plans.js");
exports.offer = function offer(name) {
  return planOf(name).seats
    .filter((seat) => seat > 0);
};
`;
const log = `TypeError: planOf(...).seats.filter is not a function
    at offer (/srv/src/offer.js:4:6)
    at main (/srv/src/main.js:3:3)
`;

async function wordsFor(errorLog: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { report } = await investigated(textSubject(errorLog, files));
  return JSON.stringify(report);
}

describe("a method of the language that a value from data lacks", () => {
  it("is stated with the key and the line where the value has another form", async () => {
    const words = await wordsFor(log, { "src/offer.js": offer, "src/plans.js": lookup, "data/plans.json": plans });
    expect(words).toContain("`data/plans.json:3` sets `seats` to a number, but `.filter` needs a list");
    expect(words).not.toMatch(/has no `filter`|Provide `filter`/);
  });

  it("is stated for the whole file when it is called on that", async () => {
    const words = await wordsFor(
      `TypeError: rows.map is not a function
    at names (/srv/src/names.js:3:15)
`,
      {
        "src/names.js": `const rows = require("../data/rows.json");
exports.names = function names() {
  return rows.map(({ name }) => name);
};
`,
        "data/rows.json": `{ "rows": [{ "name": "a" }] }\n`,
      },
    );
    expect(words).toContain("`data/rows.json:1` holds an object, but `.map` needs a list");
    expect(words).not.toContain("has no `map`");
  });

  it("is stated for an element of a list", async () => {
    const files = {
      "src/page.js": `const site = require("../data/site.json");

exports.page = function page() {
  return site.rows[1].map((row) => row);
};
`,
      "data/site.json": `{ "rows": [[1], "ab"] }\n`,
    };
    const words = await wordsFor(caught("site.rows[1].map", "page"), files);
    expect(words).toContain("`data/site.json:1` sets `rows[1]` to a string, but `.map` needs a list");
  });

  it("isn't stated for a file in which every value has the form", async () => {
    const fit = plans.replace('"seats": 5', '"seats": [5]');
    const words = await wordsFor(log, { "src/offer.js": offer, "src/plans.js": lookup, "data/plans.json": fit });
    expect(words).not.toMatch(/plans\.json:\d+` (?:sets `seats` to|has no)/);
  });
});

it("writes a chain that is broken into lines without a space before its dots", async () => {
  const words = await wordsFor(log, { "src/offer.js": offer, "src/plans.js": lookup, "data/plans.json": plans });
  expect(words).toContain("`planOf(name).seats.filter`");
  expect(words).not.toMatch(/seats \.filter|filter\.filter/);
});

const caught = (at: string, name: string): string => `TypeError: ${at} is not a function
    at ${name} (/srv/src/${name}.js:4:20)
`;

describe("a key of data that is named like a method of the language", () => {
  it.each(["map", "search", "values", "filter"])("is missing where `%s` is read rather than called", async (key) => {
    const words = await wordsFor(
      `TypeError: Cannot read properties of undefined (reading 'url')
    at page (/srv/src/page.js:4:20)
`,
      {
        "src/page.js": `const site = require("../data/site.json");

exports.page = function page() {
  return site.${key}.url;
};
`,
        "data/site.json": `{ "title": "Shop", "nav": 3 }\n`,
      },
    );
    expect(words).toContain(`\`data/site.json:1\` has no \`${key}\``);
    expect(words).not.toMatch(/needs a (?:list|string)/);
  });

  it("is that key where the data has it", async () => {
    const words = await wordsFor(caught("site.map", "page"), {
      "src/page.js": `const site = require("../data/site.json");

exports.page = function page() {
  return site.map("north");
};
`,
      "data/site.json": `{ "title": "Shop",
  "map": 3 }
`,
    });
    expect(words).toContain("`data/site.json:2` sets `map`");
    expect(words).not.toMatch(/needs a (?:list|string)/);
  });
});

describe("the key whose form is stated", () => {
  const page = `const site = require("../data/site.json");

exports.page = function page() {
  return site.nav.rows.map((row) => row);
};
`;

  it("is the one that the code reads, not another of the same name", async () => {
    const site = `{
  "rows": 5,
  "foot": { "rows": "none" },
  "nav": { "rows": { "a": 1 } }
}
`;
    const words = await wordsFor(caught("site.nav.rows.map", "page"), { "src/page.js": page, "data/site.json": site });
    expect(words).toContain("`data/site.json:4` sets `rows` to an object, but `.map` needs a list");
    expect(words).not.toContain("`data/site.json:2` sets");
  });

  it("isn't another of the same name when that which the code reads has the form", async () => {
    const site = `{ "rows": 5, "nav": { "rows": [1] } }\n`;
    const words = await wordsFor(caught("site.nav.rows.map", "page"), { "src/page.js": page, "data/site.json": site });
    expect(words).not.toContain("needs a list");
  });

  it("isn't stated behind a call whose code isn't known", async () => {
    const files = {
      "src/page.js": page
        .replace("site.nav.rows", 'load(site.nav, "x").rows')
        .replace("\n\n", `\nconst load = require("load");\n`),
      "data/site.json": `{ "nav": { "rows": 5 }, "rows": 5 }\n`,
    };
    const words = await wordsFor(caught("load(...).rows.map", "page"), files);
    expect(words).not.toContain("needs a list");
  });

  it.each(["Object.keys(site.nav).trim", "JSON.stringify(site.nav).map", "String(site.nav).map"])(
    "isn't stated behind a call that makes another value of it: %s",
    async (called) => {
      const words = await wordsFor(caught(called.replace(/\(.*\)/, "(...)"), "page"), {
        "src/page.js": page.replace("site.nav.rows.map", called),
        "data/site.json": `{ "nav": { "a": 1 } }\n`,
      });
      expect(words).not.toMatch(/needs a|Make `nav`/);
    },
  );

  it("isn't stated for the keys of an object", async () => {
    const words = await wordsFor(caught("row.trim", "page"), {
      "src/page.js": `const site = require("../data/site.json");
exports.page = function page() {
  for (const row of Object.entries(site.nav))
    row.trim();
};
`,
      "data/site.json": `{ "nav": { "a": 1 } }\n`,
    });
    expect(words).not.toMatch(/needs a|Make `a`/);
  });
});

it("takes no key for the called method that is elsewhere in the data", async () => {
  const words = await wordsFor(caught("site.nav.rows.map", "page"), {
    "src/page.js": `const site = require("../data/site.json");

exports.page = function page() {
  return site.nav.rows.map((row) => row);
};
`,
    "data/site.json": `{ "nav": { "rows": [1] }, "map": "north" }\n`,
  });
  expect(words).not.toContain("sets `map`");
});
