import type { Breadcrumb } from "@whence/protocol";
import { expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";
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

it.each([
  [
    "Rails",
    'Started GET "/orders" for 10.0.0.9 at 2026-03-01 09:59:59 +0000',
    "Completed 200 OK in 3ms (Views: 1.2ms)",
  ],
  [
    "ASP.NET",
    "Request starting HTTP/1.1 GET http://shop/orders - -",
    "Request finished HTTP/1.1 GET http://shop/orders - 200",
  ],
])("leaves out what %s logs for every request, unless it failed", async (_, start, end) => {
  const cited = await citedAfter(logged("cart 7 was emptied", {}), logged(start, {}), logged(end, {}));
  expect(cited).toContain("cart 7 was emptied");
  expect(cited).not.toContain(start);
  expect(cited).not.toContain(end);
  const failed = end.replace("200", "500");
  expect(await citedAfter(logged(failed, {}))).toContain(failed);
});

it("isn't what a log says about a start", async () => {
  const at = (second: number, level: string, said: string): string =>
    `2026-03-01T10:00:0${second}.000Z ${level} ${said}\n`;
  const request = 'Started GET "/orders" for 10.0.0.9';
  const text = at(0, "INFO", "server started") + at(1, "INFO", request) + at(2, "ERROR", "no order 7");
  const { report } = await investigated(textSubject(text));
  expect(report.detailed_analysis).toContain("server started");
  expect(report.detailed_analysis).not.toContain(request);
});
