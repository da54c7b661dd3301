import { call, exception, frameAt } from "@whence/engine/testing";
import type { Report, TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { called, failed, failingOrders, said, trace } from "./failing-orders.ts";
import { heartbeats, type Kept } from "./kept-telemetry.ts";

const { reported } = failingOrders();
const refused = { method: "POST", url: "http://127.0.0.1:4003/charge", status_code: 502, duration_ms: 9 };

describe("the service that caused it", () => {
  const request = { method: "POST", path: "/charge", headers: { host: "127.0.0.1:4003" } };
  const payment = (secondsBefore: number, more: Partial<TelemetryEvent> = {}): Kept => ({
    ...{ service: "payments", instance: "p1", fingerprint: "v1:pay", secondsBefore: secondsBefore + 0.05 },
    event: {
      message: "connect ECONNREFUSED 10.0.0.9:5432",
      exceptions: [exception("Error", "connect ECONNREFUSED 10.0.0.9:5432", [])],
      ...{ trace: trace(`a${secondsBefore}`), request, ...more },
    },
  });

  it("is the deepest that failed along the trace's failed calls, not the one that noticed", async () => {
    const gateway = "http://127.0.0.1:4002/orders";
    const storefront = (secondsBefore: number): Kept => ({
      ...{ service: "storefront", instance: "s1", fingerprint: "v1:shop", secondsBefore: secondsBefore - 0.05 },
      event: {
        trace: trace(`a${secondsBefore}`),
        breadcrumbs: [called(secondsBefore, { method: "POST", url: gateway, status_code: 500 })],
      },
    });
    const own = { request: { method: "POST", path: "/orders", headers: { host: "127.0.0.1:4002" } } };
    const each = [1, 2, 3].flatMap((seconds) => [
      failed(seconds, {}, { ...own, breadcrumbs: [called(seconds, refused)] }),
      payment(seconds),
      storefront(seconds),
    ]);
    const report = await reported(each, { breadcrumbs: [call(0.1, refused)], trace: trace("a1") });
    expect(report.root_cause).toMatchObject({ service: "payments", category: "network-unreachable" });
    expect(said(report)).toContain("in 3 of 3 traces, where the failed calls end");
    const callers = report.candidates.filter(({ service }) => service === "storefront");
    expect(Math.max(0, ...callers.map(({ score }) => score))).toBeLessThan(0.2);
  });

  it("isn't a service that fails alongside it in the same trace, when no failed call leads there", async () => {
    const fine = called(1, { ...refused, status_code: 200 });
    const report = await reported([failed(1, {}, { breadcrumbs: [fine] }), payment(1)], {
      breadcrumbs: [call(0.1, { ...refused, status_code: 200 })],
      trace: trace("a1"),
    });
    expect(report.root_cause.service).toBe("orders");
    expect(said(report)).toContain("but no failed call leads there");
  });

  it("is the calling service at least as likely as the one that rejected its request", async () => {
    const unfit = { ...refused, status_code: 422 };
    const report = await reported([failed(1, {}, { breadcrumbs: [called(1, unfit)] }), payment(1)], {
      breadcrumbs: [call(0.1, unfit)],
      trace: trace("a1"),
    });
    expect(report.root_cause.service).toBe("orders");
    expect(said(report)).toContain("rejecting the request with a 4xx status");
  });

  it("is the one that failed when its error has no place in code, and only its caller failed alongside it", async () => {
    const full = [exception("Error", "ENOSPC: no space left on device, write", [], { code: "ENOSPC" })];
    const own = { request: { method: "POST", path: "/charge", headers: { host: "127.0.0.1:4003" } } };
    const caller: Kept = {
      ...{ service: "storefront", instance: "s1", fingerprint: "v1:shop", secondsBefore: 0.95 },
      event: { trace: trace("a1"), breadcrumbs: [called(1, refused)] },
    };
    const report = await reported([failed(1, {}, { ...own, exceptions: full }), caller], {
      ...{ exceptions: full, trace: trace("a1"), ...own },
    });
    expect(report.candidates.map(({ service }) => service)).toContain("storefront");
    expect(report.root_cause.service).toBe("orders");
  });

  it("isn't a caller whose failed calls lead here through another service", async () => {
    const checkout = { method: "POST", url: "http://127.0.0.1:4005/checkout", status_code: 500 };
    const own = { request: { method: "POST", path: "/charge", headers: { host: "127.0.0.1:4003" } } };
    const checkouts: Kept = {
      ...{ service: "checkout", instance: "c1", fingerprint: "v1:checkout", secondsBefore: 0.95 },
      event: {
        ...{ trace: trace("a1"), breadcrumbs: [called(1, refused)] },
        request: { method: "POST", path: "/checkout", headers: { host: "127.0.0.1:4005" } },
      },
    };
    const storefront: Kept = {
      ...{ service: "storefront", instance: "s1", fingerprint: "v1:shop", secondsBefore: 0.9 },
      event: { trace: trace("a1"), breadcrumbs: [called(1, checkout)] },
    };
    const report = await reported([failed(1, {}, own), checkouts, storefront], { trace: trace("a1"), ...own });
    expect(said(report)).toContain("`storefront` failed in the same trace, as a caller");
    expect(said(report)).toContain("`checkout` failed in the same trace, as a caller");
  });

  it("is the one that answers where the calls fail, even though it sends no telemetry", async () => {
    const known: Kept = { service: "payments", secondsBefore: 600, fingerprint: "v1:old", event: { request } };
    const gone = { method: "POST", url: refused.url, error: "connect ECONNREFUSED", error_code: "ECONNREFUSED" };
    const own = [1, 2, 3, 4].map((seconds) => failed(seconds, {}, { breadcrumbs: [called(seconds, gone)] }));
    const others = Array.from({ length: 20 }, (_, index) => failed(index + 10, { fingerprint: "v1:else" }));
    const report = await reported([known, ...own, ...others], { breadcrumbs: [call(0.1, gone)] });
    expect(report.root_cause.service).toBe("payments");
    expect(said(report)).toMatch(
      /a call to `payments` \(`127.0.0.1:4003`\) failed before 4 of 4 failures, and before 0 of 20 other events/,
    );
  });

  it.each([true, false])(
    "isn't who a call of the process went to, while a request is served: %s",
    async (isServing) => {
      const known: Kept = { service: "payments", secondsBefore: 600, fingerprint: "v1:old", event: { request } };
      const gone = { method: "POST", url: refused.url, error: "connect ECONNREFUSED", error_code: "ECONNREFUSED" };
      const served = isServing ? { request } : {};
      const own = [1, 2, 3, 4].map((seconds) =>
        failed(seconds, {}, { ...served, breadcrumbs: [{ ...called(seconds, gone), scope: "process" }] }),
      );
      const others = Array.from({ length: 20 }, (_, index) => failed(index + 10, { fingerprint: "v1:else" }));
      const report = await reported([known, ...own, ...others], {
        ...served,
        breadcrumbs: [{ ...call(0.1, gone), scope: "process" }],
      });
      expect(report.candidates.map(({ service }) => service)).not.toContain("payments");
      expect(report.root_cause.service).toBe("orders");
    },
  );

  it("isn't said to have rejected a call that it answered with 503", async () => {
    const known: Kept = { service: "payments", secondsBefore: 600, fingerprint: "v1:old", event: { request } };
    const busy = { ...refused, status_code: 503 };
    const own = [1, 2, 3, 4].map((seconds) => failed(seconds, {}, { breadcrumbs: [called(seconds, busy)] }));
    const report = await reported([known, ...own], { breadcrumbs: [call(0.1, busy)] });
    expect(report.candidates.map(({ service }) => service)).toContain("payments");
    expect(said(report)).toContain("a call to `payments` (`127.0.0.1:4003`) returned an error before 4 of 4 failures");
  });

  it("is one whose process stopped, when its calls fail", async () => {
    const beats = heartbeats(20, { service: "payments", instance: "p1" }).slice(0, 15);
    const gone = { method: "POST", url: "http://payments:8080/charge", error: "socket hang up" };
    const report = await reported([...beats, failed(1, {}, { breadcrumbs: [called(1, gone)] })], {
      breadcrumbs: [call(0.1, gone)],
    });
    expect(report.root_cause.service).toBe("payments");
    expect(said(report)).toContain("has sent nothing since");
  });

  it("isn't one that was shut down on purpose", async () => {
    const beats = heartbeats(20, { service: "payments", instance: "p1" }).slice(0, 15);
    const exit: Kept = {
      service: "payments",
      instance: "p1",
      secondsBefore: 320,
      event: { type: "exit", level: "info" },
    };
    const gone = { method: "POST", url: "http://payments:8080/charge", error: "socket hang up" };
    const report = await reported([...beats, exit, failed(1)], { breadcrumbs: [call(0.1, gone)] });
    expect(said(report)).not.toContain("has sent nothing since");
  });
});

describe("a release", () => {
  const old = { release: "1.4.1", instance: "old" };

  it("is suspect when the failure is only in it while the other runs in parallel", async () => {
    const own = Array.from({ length: 8 }, (_, index) => failed(300 - index * 30));
    const report = await reported([...heartbeats(60, old), ...heartbeats(8), ...own]);
    expect(report.root_cause).toMatchObject({ service: "orders", category: "deploy-regression" });
    expect(said(report)).toMatch(
      /`orders` 1\.4\.2 \(first seen at .*, after `1\.4\.1`\) is suspect: it has all the failures, while the previous release was still running/,
    );
  });

  it("is ruled out when the failure had occurred before at the same rate", async () => {
    const own = Array.from({ length: 60 }, (_, index) => failed(index * 60, index > 8 ? old : {}));
    const report = await reported([...heartbeats(60, old).slice(0, 51), ...heartbeats(8), ...own]);
    expect(report.root_cause.category).not.toBe("deploy-regression");
    expect(said(report)).toMatch(/is ruled out: it came after the first failure/);
  });

  it("is a suspect when the failure had occurred before and is now many times as frequent", async () => {
    const now = Array.from({ length: 60 }, (_, index) => failed(index * 5));
    const then = [failed(1_500, old), failed(3_000, old)];
    const report = await reported([...heartbeats(60, old).slice(0, 53), ...heartbeats(6), ...now, ...then]);
    expect(said(report)).toMatch(/is suspect: it fails \d+ times as often as other releases/);
  });

  it("is ruled out when it had been healthy for long", async () => {
    const report = await reported([...heartbeats(120, old).slice(0, 60), ...heartbeats(60), failed(30)]);
    expect(said(report)).toMatch(/is ruled out: it ran (58|59|60) min before the first failure/);
  });

  it("of a called service is suspect when its answer can no longer be read, and this service has no release of its own", async () => {
    const asked = { method: "GET", url: "http://catalog:8080/items/7", status_code: 200, duration_ms: 3 };
    const catalog = (minutes: number, release: string) =>
      heartbeats(minutes, { service: "catalog", instance: release, release });
    const changed = [...catalog(60, "7").slice(0, 56), ...catalog(3, "8")];
    const own = failed(60, {}, { breadcrumbs: [called(60, asked)] });
    const report = await reported([...changed, own], { breadcrumbs: [call(0.1, asked)] });
    expect(report.root_cause).toMatchObject({ service: "catalog", category: "schema-drift" });
    expect(report.confidence.score).toBeGreaterThanOrEqual(0.5);
    const both = await reported([...changed, ...heartbeats(60, old).slice(0, 56), ...heartbeats(3), own], {
      breadcrumbs: [call(0.1, asked)],
    });
    expect(both.root_cause.service).toBe("orders");
    expect(both.candidates.find(({ service }) => service === "catalog")?.score).toBeLessThan(0.2);
  });

  it("of the service that answered last is suspect for an awaited value of a different shape when its client's code is missing", async () => {
    const page = `import { fetchItem } from "./catalog-client.js";
export async function page(id) {
  const item = await fetchItem(id);
  return item.price.cents;
}
`;
    const file = "/srv/orders/src/page.js";
    const unread = [
      exception("TypeError", "Cannot read properties of undefined (reading 'cents')", [
        frameAt({ [file]: page }, file, "cents", "page"),
      ]),
    ];
    const asked = (host: string) => ({ method: "GET", url: `http://${host}:8080/7`, status_code: 200, duration_ms: 3 });
    const life = (service: string, release: string, minutes: number, from = minutes) =>
      heartbeats(from, { service, instance: release + service, release }).slice(0, minutes);
    const reportWith = async (...hosts: readonly string[]) => {
      const breadcrumbs = hosts.map((host, index) => call(0.2 - index / 10, asked(host)));
      const kept = [
        ...[...life("catalog", "7", 56, 60), ...life("catalog", "8", 3), ...life("stock", "1", 60)],
        failed(60, {}, { exceptions: unread, breadcrumbs: hosts.map((host) => called(60, asked(host))) }),
      ];
      return await reported(kept, { exceptions: unread, breadcrumbs });
    };
    const [last, earlier] = [await reportWith("stock", "catalog"), await reportWith("catalog", "stock")];
    const scoreOf = ({ candidates }: Report) => candidates.find(({ service }) => service === "catalog")?.score ?? 0;
    expect(last.root_cause).toMatchObject({ service: "catalog", category: "schema-drift" });
    expect(last.root_cause_summary).toContain("`catalog` 8 stopped sending `price`");
    expect(scoreOf(earlier)).toBeLessThan(scoreOf(last));
    expect(earlier.root_cause_summary).not.toContain("stopped sending");
  });

  it("of a called service is near when calls to it have failed since", async () => {
    const url = "http://payments:8080/charge";
    const payments = (minutes: number, release: string) =>
      heartbeats(minutes, { service: "payments", instance: release, release });
    const kept = [
      ...payments(60, "7").slice(0, 56),
      ...payments(3, "8"),
      failed(60, {}, { breadcrumbs: [called(60, { ...refused, url })] }),
    ];
    const report = await reported(kept, { breadcrumbs: [call(0.1, { ...refused, url })] });
    expect(report.root_cause).toMatchObject({ service: "payments", category: "deploy-regression" });
    expect(said(report)).toMatch(
      /`payments` 8 \(first seen at .*, after `7`\) is near: it was first seen \d+ (?:s|min) before the first failure/,
    );
  });
});

describe("a cause further upstream", () => {
  const program = {
    "/srv/orders/src/take.js":
      "export function take(order) {\n  if (!Number.isInteger(order.cents)) throw new RangeError(order.cents + ' is no number of cents');\n}\n",
  };
  const unfit = [
    exception("RangeError", "3.5 is no number of cents", [
      frameAt(program, "/srv/orders/src/take.js", "throw new", "take"),
    ]),
  ];
  const own = { request: { method: "POST", path: "/orders", headers: { host: "127.0.0.1:4002" } } };
  const life = (service: string, release: string, minutes: number, from: number) =>
    heartbeats(from, { service, instance: release + service, release }).slice(0, minutes);
  const released = (service: string) => [...life(service, "1.0", 20, 22), ...life(service, "2.0", 2, 2)];
  /** `storefront` called `catalog` first, and then this service, which failed. */
  const storefront = (secondsBefore: number): Kept => ({
    ...{ service: "storefront", instance: "s1", fingerprint: "v1:shop", secondsBefore: secondsBefore - 0.05 },
    event: {
      trace: trace(`a${secondsBefore}`),
      breadcrumbs: [
        called(secondsBefore + 0.1, { method: "GET", url: "http://catalog:4001/products/1", status_code: 200 }),
        called(secondsBefore, { method: "POST", url: "http://127.0.0.1:4002/orders", status_code: 500 }),
      ],
    },
  });
  const failures = [1, 2].flatMap((seconds) => [
    failed(seconds, {}, { ...own, exceptions: unfit }),
    storefront(seconds),
  ]);
  const event = { exceptions: unfit, trace: trace("a1"), ...own };

  it("is a release of the service that had answered the caller when this one rejects its input", async () => {
    const report = await reported([...failures, ...released("catalog")], event);
    expect(report.root_cause).toMatchObject({ service: "catalog", category: "schema-drift" });
    expect(report.chain[0]).toMatchObject({ service: report.root_cause.service });
  });

  it("isn't one when this service has a new release itself, or the other isn't in the trace", async () => {
    const both = [...failures, ...released("catalog"), ...released("orders")];
    expect((await reported(both, event)).root_cause.service).not.toBe("catalog");
    const elsewhere = [...failures, ...released("shipping")];
    const report = await reported(elsewhere, event);
    expect(report.candidates.map(({ service }) => service)).not.toContain("shipping");
  });

  it("is a release of the caller when a third party rejects too many requests", async () => {
    const many = { method: "POST", url: "http://carrier:80/labels", status_code: 429, duration_ms: 5 };
    const refusals = [1, 2].flatMap((seconds) => [
      failed(seconds, {}, { ...own, breadcrumbs: [called(seconds, many)] }),
      storefront(seconds),
    ]);
    const asked = { trace: trace("a1"), breadcrumbs: [call(0.1, many)], ...own };
    const causeOf = async (...more: Kept[]) => (await reported([...refusals, ...more], asked)).root_cause;
    expect(await causeOf(...released("storefront"))).toMatchObject({
      ...{ service: "storefront", category: "deploy-regression" },
    });
    expect((await causeOf()).service).not.toBe("storefront");
  });
});
