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
    expect(words).toContain("Make `seats` a list at `data/plans.json:3`");
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
