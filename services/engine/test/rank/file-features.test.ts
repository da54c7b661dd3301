import { describe, expect, it } from "vitest";
import { rankingFeatures } from "../../src/ranking.ts";

const program = {
  "src/server.js": `import { priceOf } from "./catalog.js";
export function handle(request) {
  return priceOf(request.sku);
}
`,
  "src/catalog.js": `import { load } from "./store.js";
export function priceOf(sku) {
  const article = load(sku);
  return article.price.amount;
}
`,
  "src/store.js": `import rates from "./rates.json";
const articles = new Map();
export function load(sku) {
  return articles.get(sku) ?? { price: null, rates };
}
`,
  "src/rates.json": `{ "amount": 3 }`,
  "src/unrelated.js": `export function helper() { return 1; }
`,
};
const log = `TypeError: Cannot read properties of null (reading 'amount')
    at priceOf (/srv/app/src/catalog.js:4:24)
    at handle (/srv/app/src/server.js:3:10)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
`;

type Values = Readonly<Record<string, number>>;

async function featuresOf(text = log, files: Readonly<Record<string, string>> = program): Promise<Map<string, Values>> {
  const given = Object.entries(files).map(([name, content]) => ({ name, content }));
  const made = await rankingFeatures(text, given);
  return new Map(made.files.map(({ file, values }) => [file, values]));
}

/** One feature of each file, by its name. */
async function feature(name: string): Promise<Record<string, number | undefined>> {
  return Object.fromEntries([...(await featuresOf())].map(([file, values]) => [file.slice(4), values[name]]));
}

describe("the features of a file", () => {
  it("show where it is on the stack, counted from the throw", async () => {
    expect(await feature("stackRank")).toEqual({
      ...{ "catalog.js": 1, "server.js": 0.5, "store.js": 0, "rates.json": 0, "unrelated.js": 0 },
    });
    expect(await feature("outermost")).toMatchObject({ "catalog.js": 0, "server.js": 1 });
  });

  it("show how far it is along imports from the top of the stack", async () => {
    expect(await feature("importedFromTop")).toEqual({
      ...{ "catalog.js": 1, "store.js": 0.5, "rates.json": expect.closeTo(1 / 3), "server.js": 0, "unrelated.js": 0 },
    });
    expect(await feature("importsTop")).toMatchObject({ "server.js": 1, "store.js": 0 });
  });

  it("show whether functions on the stack call into it, and only it", async () => {
    expect(await feature("calledFromStack")).toMatchObject({ "store.js": 1, "unrelated.js": 0 });
  });

  it("show which code assigns the missing member", async () => {
    expect(await feature("memberWritten")).toMatchObject({ "rates.json": 1, "store.js": 0, "unrelated.js": 0 });
  });

  it("show which data file it is", async () => {
    expect(await feature("isData")).toMatchObject({ "rates.json": 1, "store.js": 0 });
  });

  it("show how much of the failing value's trail runs through it", async () => {
    const shares = await feature("stepShare");
    expect(shares["store.js"]).toBeGreaterThan(0);
    expect(shares["unrelated.js"]).toBe(0);
    expect(Object.values(shares).reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBeCloseTo(1);
  });

  it("distinguish an installed package from the service's own code", async () => {
    const text = `TypeError: x is not a function
    at parse (/srv/app/node_modules/@scope/parser/index.js:1:5)
    at handle (/srv/app/src/server.js:3:10)
`;
    const features = await featuresOf(text, { "src/server.js": program["src/server.js"] });
    const [installed, own] = ["node_modules/@scope/parser/index.js", "src/server.js"].map((end) =>
      [...features].find(([file]) => file.endsWith(end)),
    );
    expect(installed?.[1]).toMatchObject({ isInstalled: 1, ownRank: 0, stackTop: 1, samePackage: 1 });
    expect(own?.[1]).toMatchObject({ isInstalled: 0, ownRank: 1, stackTop: 0, samePackage: 0 });
  });

  it("don't depend on the names of packages, files, and functions", async () => {
    const renamed = (text: string): string => text.replaceAll("catalog", "blanket").replaceAll("priceOf", "timesIn");
    const files = Object.fromEntries(Object.entries(program).map(([name, text]) => [renamed(name), renamed(text)]));
    const before = await featuresOf();
    const after = await featuresOf(renamed(log), files);
    expect([...after].map(([, values]) => values)).toEqual([...before].map(([, values]) => values));
  });

  it("compare the strongest tie on the stack with the strongest off it, the same for each file", async () => {
    const features = [...(await featuresOf()).values()];
    const strongest = new Set(features.map((values) => values["failure-off-calledFromStack"]));
    expect(strongest).toEqual(new Set([1]));
  });
});
