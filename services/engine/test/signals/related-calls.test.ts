import type { Breadcrumb, Exception } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import {
  call,
  eventSubject,
  exception,
  foreignFrame,
  frameAt,
  type Program,
  reportedEvent,
} from "../reported-event.ts";

/** A call that the process made outside of any request or job. */
const ofProcess = (secondsBefore: number, data: Record<string, unknown>): Breadcrumb => ({
  ...call(secondsBefore, data),
  scope: "process",
});
const request = { method: "GET", path: "/carts/7", route: "/carts/:id", headers: {} };

const program: Program = {
  "/srv/shop/src/total.js": `export function totalOf(cart) {
  return cart.lines.reduce((sum, line) => sum + line.price.amount, 0);
}
`,
  "/srv/shop/src/cart.ts": `import { totalOf } from "./total.js";
import type { Store } from "./store.ts";

export async function showCart(store: Store, id: string) {
  const cart = await store.load(id);
  return { id, total: totalOf(cart) };
}
`,
  "/srv/shop/src/banner.js": `export function bannerOf(settings) {
  return JSON.parse(settings.banner);
}
`,
  "/srv/shop/src/stock.js": `export function reserve(stock, count) {
  if (count > stock.left) throw new Error("not enough in stock");
  stock.left -= count;
}
`,
};
const at = (file: string, code: string, name: string) => frameAt(program, `/srv/shop/src/${file}`, code, name);

const failures: Readonly<Record<string, Exception>> = {
  "a missing value": exception("TypeError", "Cannot read properties of undefined (reading 'amount')", [
    at("total.js", "amount", "totalOf"),
    at("cart.ts", "totalOf(cart)", "showCart"),
  ]),
  "text that can't be parsed": exception("SyntaxError", "Unexpected token 'n', \"nothing\" is not valid JSON", [
    at("banner.js", "JSON.parse", "bannerOf"),
  ]),
  "a refusal of its own": exception("Error", "not enough in stock", [at("stock.js", "new Error", "reserve")]),
};

const refused = { error: "connect ECONNREFUSED 127.0.0.1:9411", error_code: "ECONNREFUSED", duration_ms: 1 };
const calls: Readonly<Record<string, Record<string, unknown>>> = {
  "a refused one": { method: "POST", url: "http://127.0.0.1:9411/spans", ...refused },
  "one that timed out": {
    ...{ method: "GET", url: "http://flags.internal:8080/flags", duration_ms: 5_000 },
    ...{ error: "The operation was aborted due to timeout", error_code: "ETIMEDOUT" },
  },
  "one that was answered 502": { method: "GET", url: "http://rates:7000/rates", status_code: 502, duration_ms: 31 },
};

describe("a failed call of the process outside the event's request", () => {
  it.each(
    Object.keys(failures).flatMap((failure) =>
      Object.keys(calls).flatMap((one) => [true, false].map((isServing) => [failure, one, isServing] as const)),
    ),
  )("weighs nothing in %s: %s, while a request is served: %s", async (failure, one, isServing) => {
    const exceptions = Object.entries(failures).flatMap(([name, value]) => (name === failure ? [value] : []));
    const reported = { exceptions, ...(isServing ? { request } : {}) };
    const alone = await investigated(eventSubject(reportedEvent(reported), "shop"));
    const breadcrumbs = [ofProcess(5, calls[one] ?? {})];
    const { report } = await investigated(eventSubject(reportedEvent({ ...reported, breadcrumbs }), "shop"));
    expect(report.root_cause_summary).toBe(alone.report.root_cause_summary);
    expect(report.confidence.score).toBe(alone.report.confidence.score);
    expect(report.candidates.map(({ category, location }) => ({ category, location }))).toEqual(
      alone.report.candidates.map(({ category, location }) => ({ category, location })),
    );
    expect(report.chain.map(({ what }) => what)).toEqual(alone.report.chain.map(({ what }) => what));
  });

  it("is in the timeline", async () => {
    const breadcrumbs = [ofProcess(5, { method: "POST", url: "http://127.0.0.1:9411/spans", ...refused })];
    const exceptions = Object.values(failures).slice(0, 1);
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions, request, breadcrumbs }), "shop"));
    expect(report.timeline.map(({ what }) => what).join("\n")).toContain("127.0.0.1:9411");
  });

  it("doesn't explain a refused connection of the request itself", async () => {
    const exceptions = [exception("Error", "connect ECONNREFUSED 10.0.0.5:5432", [], { code: "ECONNREFUSED" })];
    const breadcrumbs = [ofProcess(5, { method: "POST", url: "http://127.0.0.1:9411/spans", ...refused })];
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions, request, breadcrumbs }), "shop"));
    expect(report.root_cause_summary).not.toContain("9411");
    expect(report.root_cause_summary).toContain("10.0.0.5:5432");
  });
});

describe("a failed call that led to the error is still named", () => {
  const client: Program = {
    "/srv/shop/src/rates.js": `export async function refresh(table) {
  const response = await fetch("http://rates:7000/rates/latest");
  const body = await response.json();
  table.usd = body.rates.usd;
}
`,
  };
  const frames = [frameAt(client, "/srv/shop/src/rates.js", "fetch(", "refresh")];
  const badGateway = { method: "GET", url: "http://rates:7000/rates/latest", status_code: 502, duration_ms: 31 };
  const fetchFailed = (message: string, properties: Record<string, unknown>): Exception[] => [
    exception("TypeError", "fetch failed", [foreignFrame("node:internal/deps/undici/undici", 14, "fetch"), ...frames]),
    exception("Error", message, [], properties),
  ];
  const down = {
    ...{ method: "GET", url: "http://rates:7000/rates/latest", duration_ms: 2 },
    ...{ error: "connect ECONNREFUSED 10.0.0.7:7000", error_code: "ECONNREFUSED" },
  };
  const missing = exception("TypeError", "Cannot read properties of undefined (reading 'usd')", [
    frameAt(client, "/srv/shop/src/rates.js", "rates.usd", "refresh"),
  ]);

  it.each<[string, Parameters<typeof reportedEvent>[0]]>([
    [
      "in the same request",
      { exceptions: Object.values(failures).slice(0, 1), request, breadcrumbs: [call(0.1, badGateway)] },
    ],
    ["in the same job", { exceptions: Object.values(failures).slice(0, 1), breadcrumbs: [call(0.1, badGateway)] }],
    [
      "by the address in the error's cause",
      {
        exceptions: fetchFailed("connect ECONNREFUSED 10.0.0.7:7000", { code: "ECONNREFUSED" }),
        breadcrumbs: [ofProcess(0.1, down)],
      },
    ],
    [
      "by the code and the port among the error's properties",
      {
        exceptions: fetchFailed("connect failed", { code: "ECONNREFUSED", address: "10.0.0.7", port: 7_000 }),
        breadcrumbs: [ofProcess(0.1, down)],
      },
    ],
    [
      "by the host that the error names",
      {
        exceptions: fetchFailed("getaddrinfo ENOTFOUND rates", { code: "ENOTFOUND", hostname: "rates" }),
        breadcrumbs: [ofProcess(0.1, { ...down, error: "getaddrinfo ENOTFOUND rates", error_code: "ENOTFOUND" })],
      },
    ],
    [
      "by the status that the error names",
      {
        exceptions: [exception("AxiosError", "Request failed with status code 502", frames, { status: 502 })],
        breadcrumbs: [ofProcess(0.1, badGateway)],
      },
    ],
    [
      "by the way of the failing value, which came from its answer",
      { exceptions: [missing], breadcrumbs: [ofProcess(0.1, badGateway)] },
    ],
  ])("%s", async (_, reported) => {
    const { report } = await investigated(eventSubject(reportedEvent(reported), "shop"));
    expect(report.chain.map(({ what }) => what).join("\n")).toContain("rates:7000");
    expect(report.candidates.some(({ category }) => /upstream|outage|unreachable|drift/.test(category))).toBe(true);
  });

  it("isn't another one that failed in the same way", async () => {
    const exceptions = fetchFailed("connect ECONNREFUSED 10.0.0.7:7000", { code: "ECONNREFUSED" });
    const other = ofProcess(1, { method: "POST", url: "http://127.0.0.1:9411/spans", ...refused });
    const { report } = await investigated(
      eventSubject(reportedEvent({ exceptions, breadcrumbs: [ofProcess(2, down), other] }), "shop"),
    );
    expect(report.root_cause_summary).not.toContain("9411");
    expect(report.chain.map(({ what }) => what).join("\n")).toContain("rates:7000");
  });
});
