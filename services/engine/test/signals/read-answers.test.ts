import type { Breadcrumb, Exception } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { call, eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const request = { method: "GET", path: "/carts/7", route: "/carts/:id", headers: {} };
const answered = (url: string, status: number): Breadcrumb =>
  call(0.1, { method: "GET", url, status_code: status, duration_ms: 12 });

const total = `export function totalOf(cart) {
  return cart.lines.reduce((sum, line) => sum + line.price, 0);
}
`;
const show = `import { totalOf } from "./total.js";
import { loadCart } from "./client.js";
export async function showCart(id) {
  const cart = await loadCart(id);
  return { id, total: totalOf(cart) };
}
`;
const fetching = (check: string) => `export async function loadCart(id) {
  const response = await fetch(\`http://carts:8080/carts/\${id}\`);
${check}  const cart = await response.json();
  return cart;
}
`;
const clients = {
  "looks at nothing": fetching(""),
  "checks ok": fetching('  if (!response.ok) throw new Error("no cart");\n'),
  "compares the status": fetching("  if (response.status >= 400) return {};\n"),
  "lets got throw": `import got from "got";
export async function loadCart(id) {
  const cart = await got(\`http://carts:8080/carts/\${id}\`).json();
  return cart;
}
`,
} as const;
const url = "http://carts:8080/carts/7";

/** A cart without lines, as a client reports it that was given the code of all files. */
async function reported(client: string, breadcrumbs: readonly Breadcrumb[]) {
  const program: Program = {
    "/srv/shop/src/total.js": total,
    "/srv/shop/src/cart.js": show,
    "/srv/shop/src/client.js": client,
  };
  const missing = exception("TypeError", "Cannot read properties of undefined (reading 'reduce')", [
    frameAt(program, "/srv/shop/src/total.js", "reduce", "totalOf"),
    frameAt(program, "/srv/shop/src/cart.js", "totalOf(cart)", "showCart"),
  ]);
  return investigatedWith(program, missing, breadcrumbs);
}

async function investigatedWith(program: Program, error: Exception, breadcrumbs: readonly Breadcrumb[]) {
  const subject = eventSubject(reportedEvent({ exceptions: [error], breadcrumbs, request }), "shop");
  if (subject.input.kind !== "event") throw new Error("the subject is an event");
  const files = Object.entries(program).map(([name, content]) => ({
    name,
    path: name,
    content,
    version: "as deployed",
  }));
  const { report } = await investigated({ ...subject, input: { ...subject.input, files } });
  return { report, text: JSON.stringify(report) };
}

const unchecked = "without checking the response status";
const isOfClient = ({ location }: { location: { file: string } | null }): boolean =>
  location?.file.endsWith("client.js") === true;

describe("code that takes in the result of a call", () => {
  it.each(Object.entries(clients))("isn't reported as unchecked when it %s and no call failed", async (_, client) => {
    for (const breadcrumbs of [[], [answered(url, 200)]])
      expect((await reported(client, breadcrumbs)).text).not.toContain("without checking");
  });

  it.each(Object.entries(clients))(
    "is reported as unchecked after a 502 only if it checks nothing: it %s",
    async (name, client) => {
      const { text } = await reported(client, [answered(url, 502)]);
      expect(text.includes(unchecked)).toBe(name === "looks at nothing");
    },
  );

  it("isn't reported as unchecked when another call of the request failed", async () => {
    const audit = answered("http://audit:8080/entries", 500);
    const { report, text } = await reported(clients["looks at nothing"], [answered(url, 200), audit]);
    expect(text).not.toContain("without checking");
    expect(report.candidates[0]?.location?.file).toContain("/src/");
    expect(report.root_cause.statement).not.toContain("audit");
  });

  it("is less likely the cause when the call succeeded", async () => {
    for (const client of [clients["looks at nothing"], clients["lets got throw"]]) {
      const alone = await reported(client, []);
      const well = await reported(client, [answered(url, 200)]);
      const before = alone.report.candidates.find(isOfClient)?.score ?? 0;
      expect(before).toBeGreaterThan(0.6);
      expect(well.report.candidates.find(isOfClient)?.score).toBeLessThan(0.7 * before);
      expect(well.report.confidence.score).toBeLessThan(0.6);
    }
  });

  it("stays the cause when it takes the wrong part of a successful response", async () => {
    const client = clients["looks at nothing"].replace("return cart;", "return cart.result.cart;");
    const { report } = await reported(client, [answered(url, 200)]);
    expect(report.candidates[0]).toSatisfy(isOfClient);
    expect(report.confidence.score).toBeGreaterThan(0.65);
  });

  it("is reported as unchecked when a page came instead of JSON", async () => {
    const program: Program = {
      "/srv/shop/src/feed.js": `export async function feed(id) {
  const reply = await fetch("http://feed:4000/all");
  return JSON.parse(await reply.text());
}
`,
    };
    const error = exception("SyntaxError", "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON", [
      frameAt(program, "/srv/shop/src/feed.js", "JSON.parse", "feed"),
    ]);
    expect((await investigatedWith(program, error, [])).text).toContain(unchecked);
    const well = [answered("http://feed:4000/all", 200)];
    expect((await investigatedWith(program, error, well)).text).not.toContain(unchecked);
  });

  it("is reported as unchecked in Python too", async () => {
    const python = (check: string): Program => ({
      "/srv/shop/app/rates.py": `import requests

def load_rates(day):
    response = requests.get(f"http://rates:7000/rates/{day}", timeout=2)
${check}    return response.json()
`,
      "/srv/shop/app/convert.py": `from app.rates import load_rates

def convert(amount, day):
    rates = load_rates(day)
    return amount * rates["euro"]
`,
    });
    for (const [check, isSaid] of [
      ["", true],
      ["    response.raise_for_status()\n", false],
    ] as const) {
      const program = python(check);
      const error = exception("KeyError", "'euro'", [
        frameAt(program, "/srv/shop/app/convert.py", 'rates["euro"]', "convert"),
      ]);
      const { text } = await investigatedWith(program, error, [answered("http://rates:7000/rates/monday", 500)]);
      expect(text.includes(unchecked)).toBe(isSaid);
      expect(text).not.toContain("falls back to");
    }
  });
});
