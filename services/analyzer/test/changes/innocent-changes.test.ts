import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { before, fingerprint, keptTelemetry } from "../collectors/kept-telemetry.ts";
import { ada, answered, type Files, reportOn } from "./release-case.ts";

const telemetry = keptTelemetry();

const advice = ({ short_term_solutions: now }: Report): string => now.map(({ title }) => title).join("\n");

const quotes: Files = {
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

describe("a change of another service", () => {
  it("written in Python that drops a key of the answer is named", async () => {
    const view = (keys: string): string =>
      `def quote(sku):\n    price = price_of(sku)\n    return jsonify({"sku": sku, ${keys}})\n`;
    const report = await reportOn(
      {
        ...{ files: quotes, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8", commit: ada },
            old: { "app/quotes.py": view(`"total": price.total, "currency": "EUR"`) },
            now: { "app/quotes.py": view(`"currency": "EUR"`) },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "pricing", location: { file: "app/quotes.py" } });
    expect(report.root_cause_summary).toContain("removed `total` from `app/quotes.py`");
  });

  it("that moved the field to another file isn't suspected", async () => {
    const own = {
      ...quotes,
      "src/basket.js": `import { fetchQuote } from "./quotes.js";
const defaults = { sku: null };
export async function basket(sku) {
  const quote = sku ? defaults : await fetchQuote(sku);
  return quote.total.toFixed(2);
}
`,
    };
    const report = await reportOn(
      {
        ...{ files: own, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8" },
            old: {
              "src/quote.js": "export const quote = (price) => ({\n  total: price.total,\n  tax: price.tax,\n});\n",
            },
            now: {
              "src/quote.js":
                "import { amounts } from './amounts.js';\nexport const quote = (price) => amounts(price);\n",
              "src/amounts.js":
                "export function amounts(price) {\n  return { total: price.total, tax: price.tax };\n}\n",
            },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause.service).toBe("orders");
    expect(report.root_cause_summary).not.toMatch(/removed|renamed/);
  });

  it("that renamed a variable of the same name isn't suspected when this service's own release changed how it reads the answer", async () => {
    const report = await reportOn(
      {
        ...{ files: {}, ...missingTotal },
        releases: [
          {
            ...{ service: "pricing", from: "7", to: "8" },
            old: {
              "src/quote.js":
                "export function quote(price) {\n  const total = price.net + price.tax;\n  return { total: total };\n}\n",
            },
            now: {
              "src/quote.js":
                "export function quote(price) {\n  const sum = price.net + price.tax;\n  return { total: sum };\n}\n",
            },
          },
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: quotes,
            now: { ...quotes, "src/quotes.js": (quotes["src/quotes.js"] ?? "").replace("quote.total", "quote.totals") },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "orders", location: { file: "/srv/orders/src/quotes.js" } });
    expect(report.root_cause_summary).not.toContain("`pricing` 8");
  });

  it("that no longer sends a field of its request is named", async () => {
    const request = { method: "POST", path: "/orders", route: "/orders", headers: { host: "orders:8080" } };
    const trace = { trace_id: "a1".padEnd(32, "0"), span_id: "00f067aa0ba902b7" };
    const caller = {
      ...{ service: "storefront", release: "3.1.0", instance: "s1", fingerprint: "v1:shop", secondsBefore: 0.2 },
      event: {
        trace,
        breadcrumbs: [
          {
            ...{ timestamp: before(0.3), category: "http", level: "info" as const },
            data: { method: "POST", url: "http://orders:8080/orders", status_code: 500 },
          },
        ],
      },
    };
    const known = {
      ...{ fingerprint, secondsBefore: 600, release: "1.4.2" },
      ...{ fingerprint: "v1:else", event: { request } },
    };
    const send = (fields: string): string =>
      `export function place(sku, quantity) {\n  return post("/orders", { ${fields} });\n}\n`;
    const report = await reportOn(
      {
        files: {
          "src/place.js": `export function place(body) {\n  const { sku, quantity } = body;\n  return sku + quantity.toFixed(0);\n}\n`,
        },
        error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'toFixed')" },
        stack: [["src/place.js", "quantity.toFixed", "place"]],
        ...{ request, trace, more: [caller, known] },
        releases: [
          {
            ...{ service: "storefront", from: "3.0.0", to: "3.1.0", commit: ada },
            old: { "src/orders-client.js": send("sku, quantity") },
            now: { "src/orders-client.js": send("sku, count: quantity") },
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "storefront" });
    expect(report.root_cause_summary).toContain("renamed `quantity` to `count`");
  });
});

describe("a change of the failing service", () => {
  const users = (guard: string): Files => ({
    "src/users.js": `import { find } from "./store.js";
export function show(id) {
  const user = find(id);
${guard}  return user.name;
}
`,
    "src/store.js": "const users = new Map();\nexport function find(id) {\n  return users.get(id);\n}\n",
  });

  it("that removed a check before the failing line is named, with a rollback, because a comparison supports it", async () => {
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'name')" },
        stack: [["src/users.js", "user.name", "show"]],
        failures: 8,
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2", commit: ada, isRolling: true },
            old: users("  if (!user) return null;\n"),
            now: users(""),
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause).toMatchObject({ service: "orders", location: { file: "/srv/orders/src/users.js" } });
    expect(report.chain[0]?.what).toMatch(/`orders` 1.4.2 (changed|removed).*`src\/users.js/);
    expect(advice(report)).toContain("Roll `orders` back to `1.4.1`");
  });

  it("to a comment in the failing function, or to a package that isn't on the stack, isn't suspected for a refused connection", async () => {
    const db = (comment: string, version: string): Files => ({
      "src/db.js": `import net from "node:net";\nexport function open() {\n  // ${comment}\n  return net.connect(5432, "10.0.0.9");\n}\n`,
      "package.json": `{\n  "dependencies": {\n    "left-pad": "${version}"\n  }\n}\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "Error", message: "connect ECONNREFUSED 10.0.0.9:5432" },
        stack: [["src/db.js", "net.connect", "open"]],
        releases: [
          {
            ...{ service: "orders", from: "1.4.1", to: "1.4.2" },
            old: db("Opens it.", "1.0.0"),
            now: db("Opens the database.", "1.1.0"),
          },
        ],
      },
      telemetry,
    );
    expect(report.root_cause_summary).not.toMatch(/1\.4\.2|changed|left-pad/);
    expect(report.chain.map(({ what }) => what).join("\n")).not.toMatch(/changed|left-pad/);
  });

  it("that is only near, and elsewhere in the code, isn't the origin", async () => {
    const page = (limit: number): Files => ({
      "src/page.js": `export function page(items) {\n  const first = items.find((one) => one.isFirst);\n  return first.title;\n}\n`,
      "src/limits.js": `export const limit = ${limit};\n`,
    });
    const report = await reportOn(
      {
        files: {},
        error: { type: "TypeError", message: "Cannot read properties of undefined (reading 'title')" },
        stack: [["src/page.js", "first.title", "page"]],
        releases: [{ ...{ service: "orders", from: "1.4.1", to: "1.4.2" }, old: page(10), now: page(20) }],
      },
      telemetry,
    );
    expect(report.root_cause.location).toMatchObject({ file: "/srv/orders/src/page.js" });
    expect(report.chain[0]?.what).not.toContain("1.4.2");
    expect(report.root_cause_summary).not.toContain("1.4.2");
  });
});
