import { describe, expect, it } from "vitest";
import { keptTelemetry } from "../collectors/kept-telemetry.ts";
import { ada, answered, type Files, reportOn } from "./release-case.ts";

const telemetry = keptTelemetry();

const basket: Files = {
  "src/quotes.js": `export async function fetchQuote(sku) {
  const response = await fetch("http://pricing:8080/" + sku);
  const quote = await response.json();
  return { sku, total: quote.total };
}
`,
  "src/basket.js": `import { fetchQuote } from "./quotes.js";
export async function basket(sku) {
  const quote = await fetchQuote(sku);
  return quote.total.toFixed(2);
}
`,
};
const missingTotal = {
  error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'toFixed')" },
  stack: [["src/basket.js", "quote.total", "basket"]] as const,
  breadcrumbs: [answered("pricing")],
};

describe("what caused a failure", () => {
  it("is the release that gave a method another name", async () => {
    const files = (method: string): Files => ({
      "src/repository.js": `export class Repository {\n  constructor(rows) {\n    this.rows = rows;\n  }\n  ${method}() {\n    return [...this.rows];\n  }\n}\n`,
      "src/list.js": `import { Repository } from "./repository.js";\nconst repository = new Repository([]);\nexport function list() {\n  return repository.findAll();\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "repository.findAll is not a function" },
        stack: [["src/list.js", "repository.findAll", "list"]],
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2", commit: ada },
            old: files("findAll"),
            now: files("all"),
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.service).toBe("orders");
    expect(report.chain[0]?.what).toContain("`orders` 1.4.2 removed `findAll` from `src/repository.js`");
  });

  it("is the release in Go that dropped a field of its struct", async () => {
    const view = (fields: string): string =>
      `package api\n\ntype Quote struct {\n\tSku string \`json:"sku"\`\n${fields}}\n`;
    const report = await reportOn(
      {
        ...{ files: basket, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8" },
            old: { "api/quote.go": view('\tTotal float64 `json:"total"`\n') },
            now: { "api/quote.go": view('\tSum float64 `json:"sum"`\n') },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "pricing", location: { file: "api/quote.go" } });
  });

  it("is the release that reads a variable by another name", async () => {
    const files = (name: string): Files => ({
      "src/database.js": `export function open() {\n  const url = process.env.${name};\n  if (!url) throw new Error("${name} is required");\n  return connect(url);\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "Error", message: "DATABASE_URL is required" },
        stack: [["src/database.js", "throw new Error", "open"]],
        releases: [
          { ...{ service: "orders", from: "1.4.1", to: "1.4.2" }, old: files("DB_URL"), now: files("DATABASE_URL") },
        ],
      },
      telemetry,
    );
    expect(report.chain[0]?.what).toContain("started reading `DATABASE_URL`");
  });
});

describe("the only file that a release of another service changed", () => {
  const charge: Files = {
    "src/charge.js": `import { record } from "./ledger.js";
export async function charge(request) {
  const quote = await fetch("http://pricing:8080/" + request.sku);
  return record(await quote.json());
}
`,
    "src/ledger.js": `export function record(cents) {
  if (!Number.isInteger(cents)) throw new RangeError(\`\${cents} is no number of cents\`);
  return { cents };
}
`,
  };
  const price = (value: string): Files => ({
    "src/price.js": `export const price = (row) => send(${value});\n`,
    "src/unchanged.js": "export const currency = 'EUR';\n",
  });
  const release = { service: "pricing", from: "7", to: "8" };
  const failing = {
    files: charge,
    error: { type: "RangeError", message: "25.8 is no number of cents" },
    stack: [["src/ledger.js", "throw new RangeError", "record"]] as const,
    breadcrumbs: [answered("pricing")],
  };

  it("is named when the release is the likely cause", async () => {
    const report = await reportOn(
      { ...failing, releases: [{ ...release, old: price("row.cents"), now: price("row.cents / 100") }] },
      telemetry,
    );
    expect(report.chain[0]?.what).toContain("`pricing` 8 changed only `src/price.js:1`");
  });

  it("isn't named when another file changed too", async () => {
    const now = { ...price("row.cents / 100"), "src/unchanged.js": "export const currency = 'USD';\n" };
    const report = await reportOn({ ...failing, releases: [{ ...release, old: price("row.cents"), now }] }, telemetry);
    expect(JSON.stringify(report)).not.toContain("changed only");
  });
});

describe("what was only changed around the time of a failure", () => {
  it("is another field of the answer", async () => {
    const own = {
      ...basket,
      "src/basket.js": (basket["src/basket.js"] ?? "").replace(
        "await fetchQuote(sku)",
        "sku ? {} : await fetchQuote(sku)",
      ),
    };
    const view = (keys: string): Files => ({
      "src/quote.js": `export const quote = (price) => ({ total: price.net, ${keys} });\n`,
    });
    const report = await reportOn(
      {
        ...{ files: own, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8" },
            old: view("currency: price.currency"),
            now: view("tax: price.tax"),
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.service).toBe("orders");
    expect(report.root_cause_summary).not.toMatch(/removed|renamed|`pricing` 8/);
  });

  it("is code of the service itself that moved to another file", async () => {
    const moved: Files = {
      "src/quotes.js": `export { fetchQuote } from "./fetch-quote.js";\n`,
      "src/fetch-quote.js": basket["src/quotes.js"] ?? "",
      "src/basket.js": basket["src/basket.js"] ?? "",
    };
    const report = await reportOn(
      {
        ...{ files: {}, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8" },
            old: { "src/quote.js": "export const quote = (price) => ({ total: price.net, tax: price.tax });\n" },
            now: { "src/quote.js": "export const quote = (price) => ({ net: price.net, tax: price.tax });\n" },
          },
          { ...{ service: "orders", from: "1.4.1", to: "1.4.2" }, old: basket, now: moved },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "pricing", location: { file: "src/quote.js" } });
    expect(report.root_cause_summary).toContain("renamed `total` to `net`");
  });

  it("is the layout of the failing function", async () => {
    const page = (body: string): Files => ({ "src/page.js": `export function page(items) {\n${body}}\n` });
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'title')" },
        stack: [["src/page.js", "first.title", "page"]],
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: page("  const first = items.find(\n    (one) => one.isFirst);\n  return first.title;\n"),
            now: page(
              "  // The first one leads.\n  const first = items.find((one) => one.isFirst);\n  return first.title;\n",
            ),
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.location).toMatchObject({ file: "/srv/orders/src/page.js" });
    expect(report.chain.map(({ what }) => what).join("\n")).not.toContain("1.4.2 changed");
  });

  it("is a test, or a comment, that mentions the field", async () => {
    const own = {
      ...basket,
      "src/basket.js": (basket["src/basket.js"] ?? "").replace(
        "await fetchQuote(sku)",
        "sku ? {} : await fetchQuote(sku)",
      ),
    };
    const view = (comment: string, level: string): Files => ({
      "src/quote.js": `// ${comment}\nexport const quote = (price) => ({ total: price.net });\n`,
      "src/quote.test.js": `expect(quote(5)).toEqual({ ${comment} });\n`,
      "src/log.js": `export const level = "${level}";\n`,
    });
    const report = await reportOn(
      {
        ...{ files: own, ...missingTotal },
        releases: [
          { ...{ service: "pricing", from: "7", to: "8" }, old: view("total: 5", "info"), now: view("net: 5", "warn") },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.service).toBe("orders");
    expect(report.root_cause_summary).not.toMatch(/removed|renamed|`pricing` 8/);
  });
});
