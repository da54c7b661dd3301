import { incidentPageSchema, incidentSchema } from "@whence/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { investigationHandler } from "../../../src/investigations/investigations.ts";
import { endedIncident } from "../../ended-report.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";
import { bodies, everyRoute, nameOf, type Route } from "../openapi/every-route.ts";

let service: TestService;
let acme: TestOrganization;
let routes: readonly Route[];

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  routes = (await everyRoute(service)).filter(({ url }) => url.startsWith("/api/incidents"));
});
afterAll(() => service.close());

const headers = () => ({ cookie: acme.cookie });
const read = (url: string) => service.app.inject({ url, headers: headers() });
const remove = (id: string) =>
  service.app.inject({ method: "DELETE", url: `/api/incidents/${id}`, headers: headers() });

/** What each route of the incident answers, the deletion last. */
async function everyAnswer(id: string): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const inOrder = routes.toSorted(
    (left, right) => Number(left.method === "DELETE") - Number(right.method === "DELETE"),
  );
  for (const route of inOrder) {
    const payload = bodies[nameOf(route)];
    const request = { method: route.method, url: route.url.replace(":id", id), headers: headers() };
    const { statusCode } = await service.app.inject(payload === undefined ? request : { ...request, payload });
    answers[nameOf(route)] = statusCode;
  }
  return answers;
}

/** The routes that failed on the incident. */
async function failedRoutes(id: string): Promise<string[]> {
  return Object.entries(await everyAnswer(id)).flatMap(([name, status]) => (status >= 500 ? [name] : []));
}

/** Damages the stored report, as no route can. */
async function damage(id: string, stored: string): Promise<void> {
  const db = service.control.identity.db.withTables<{ incident: { id: string; report_json: string } }>();
  await db.updateTable("incident").set({ report_json: stored }).where("id", "=", id).execute();
}

async function analyzed(errorLog: string): Promise<string> {
  const request = { method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": acme.key } } as const;
  const answer = await service.app.inject({ ...request, payload: { error_log: errorLog } });
  expect(answer.statusCode).toBe(200);
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent, relayOutbox: () => undefined };
  const message = { incident_id: answer.json().incident_id, scope_id: acme.id };
  const { signal } = new AbortController();
  await investigationHandler(context)(message, { id: "m1", number: 1, signal });
  return message.incident_id;
}

describe("a stored report that doesn't fit its schema", () => {
  it("is shown as it is, with what doesn't fit, and counted", async () => {
    const id = await endedIncident(service, acme.id);
    await damage(id, '{"root_cause_summary":1}');
    const before = (await service.metrics.unreadableReports.get()).values[0]?.value ?? 0;
    const incident = incidentSchema.parse((await read(`/api/incidents/${id}`)).json());
    expect(incident.report).toBeUndefined();
    expect(incident.unreadable_report).toEqual({
      problem: expect.stringContaining("root_cause_summary"),
      stored: { root_cause_summary: 1 },
    });
    expect((await service.metrics.unreadableReports.get()).values[0]?.value).toBe(before + 1);
  });

  it.each(["no JSON", "null", "[]", '{"chain":[{}]}'])(
    "leaves every route of its incident working: %s",
    async (stored) => {
      const id = await endedIncident(service, acme.id);
      await damage(id, stored);
      const { incidents } = incidentPageSchema.parse((await read("/api/incidents")).json());
      expect(incidents.map((one) => one.id)).toContain(id);
      expect(await failedRoutes(id)).toEqual([]);
      expect((await read(`/api/incidents/${id}`)).statusCode).toBe(404);
    },
  );

  it("can be deleted", async () => {
    const id = await endedIncident(service, acme.id);
    await damage(id, "{}");
    expect((await remove(id)).statusCode).toBe(200);
    expect((await remove(id)).statusCode).toBe(404);
  });
});

describe("any accepted text", () => {
  const number = fc.constantFrom("0", "1", "1.5", "-1", "1e300", "9007199254740993", "٣", "00", "4294967296", "");
  const frame = fc
    .tuple(number, number, fc.constantFrom("a", "D", "<anonymous>", "Orders"))
    .chain(([line, column, name]) =>
      fc.constantFrom(
        `java.lang.Error: ${name}\n\tat shop.${name}.main(D.java:${line})`,
        `TypeError: ${name}\n    at ${name} (/app/${name}.js:${line}:${column})`,
        `TypeError: ${name}\n${name}@http://shop.example/${name}.js:${line}:${column}`,
        `thread 'main' panicked at src/${name}.rs:${line}:${column}:\nboom`,
        `Unhandled exception:\nBad state: ${name}\n#0      ${name} (package:shop/${name}.dart:${line}:${column})`,
        `Traceback (most recent call last):\n  File "/app/${name}.py", line ${line}, in ${name}\n    boom()\nValueError: boom`,
        `panic: ${name}\n\ngoroutine 1 [running]:\nmain.${name}()\n\t/app/${name}.go:${line} +0x1`,
        `PHP Fatal error:  Uncaught Exception: ${name} in /app/${name}.php:${line}\nStack trace:\n#0 {main}`,
        `src/${name}.ts(${line},${column}): error TS2322: Type 'string' is not assignable.`,
        `{"level":"error","err":{"type":"E","message":"${name}","frames":[{"filename":"${name}.py","lineno":${line === "٣" || line === "00" || line === "" ? 0 : line}}]}}`,
      ),
    );
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: frame }, fc.string({ unit: "binary", minLength: 1 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join("\n").toWellFormed())
    .filter((joined) => joined.trim() !== "");

  it("leaves an incident that every route can read, with a report", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (errorLog) => {
        const id = await analyzed(errorLog);
        const incident = incidentSchema.parse((await read(`/api/incidents/${id}`)).json());
        expect(incident.unreadable_report).toBeUndefined();
        expect(incident.status).toBe("completed");
        expect(await failedRoutes(id)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
