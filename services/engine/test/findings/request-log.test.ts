import type { Breadcrumb } from "@whence/protocol";
import { expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, frameAt, reportedEvent } from "../reported-event.ts";

const program = { "/srv/orders/src/total.js": "export function total(order) {\n  return order.lines.length;\n}\n" };
const frames = [frameAt(program, "/srv/orders/src/total.js", "lines", "total")];
const logged = (message: string, data: Record<string, unknown>, level: Breadcrumb["level"] = "info"): Breadcrumb => ({
  ...{ timestamp: "2026-03-01T09:59:59.000Z", category: "pino", level, message, data },
});

/** Everything that the report on a failure cites, after some log lines. */
async function citedAfter(...breadcrumbs: readonly Breadcrumb[]): Promise<string> {
  const failure = exception("TypeError", "Cannot read properties of undefined (reading 'length')", frames);
  const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [failure], breadcrumbs })));
  return report.evidence.map(({ excerpt }) => excerpt).join("\n");
}

it("leaves out what is logged for every request", async () => {
  const request = [
    logged("incoming request", { reqId: "req-1", req: { method: "GET", url: "/orders" } }),
    logged("request completed", { reqId: "req-1", res: { statusCode: 200 }, responseTime: 3 }),
  ];
  const cited = await citedAfter(logged("cart 7 was emptied", {}), ...request, ...request, ...request, ...request);
  expect(cited).not.toMatch(/incoming request|request completed/);
  expect(cited).toContain("cart 7 was emptied");
});

it("keeps a request that failed", async () => {
  expect(await citedAfter(logged("request completed", { res: { statusCode: 503 } }))).toContain("503");
  expect(await citedAfter(logged("request completed", { statusCode: 401 }))).toContain("401");
  expect(await citedAfter(logged("request completed", {}, "warning"))).toContain("request completed");
});
