import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../src/findings/investigation-subject.ts";
import type { Collector } from "../src/observe/collector.ts";
import type { Fact } from "../src/signals/fact.ts";
import { announcedSubject, investigated, textSubject } from "./investigated.ts";
import { change } from "./outside/findings.ts";
import { exit } from "./process-exit/heartbeats.ts";
import { reworded } from "./report/reworded.ts";
import { deploy, ownDeploy, seen } from "./report/written-reports.ts";
import { call, eventSubject, exception, frameAt, type Program, reportedEvent } from "./reported-event.ts";

const files = {
  "src/rates.js": `export function rateOf(country) {
  const rates = JSON.parse(process.env.RATES);
  return rates[country].vat;
}
`,
  "src/total.js": `import { rateOf } from "./rates.js";
export function totalOf(order) {
  return order.net * (1 + rateOf(order.country));
}
`,
};
const text = `TypeError: Cannot read properties of undefined (reading 'vat')
    at rateOf (/srv/app/src/rates.js:3:25)
    at totalOf (/srv/app/src/total.js:3:27)
`;

const program: Program = {
  "/srv/orders/src/client.ts": `export async function fetchPayment(id) {
  const response = await fetch("http://payments:8080/p/" + id);
  return formatMoney((await response.json()).amount);
}
export function formatMoney(money) {
  return money.currency;
}
`,
};
const event = reportedEvent({
  exceptions: [
    exception("TypeError", "Cannot read properties of undefined (reading 'currency')", [
      frameAt(program, "/srv/orders/src/client.ts", "money.currency", "formatMoney"),
      frameAt(program, "/srv/orders/src/client.ts", "formatMoney((await", "fetchPayment"),
    ]),
  ],
  breadcrumbs: [call(0.2, { method: "GET", url: "http://payments:8080/p/1", status_code: 200, duration_ms: 12 })],
  request: { method: "GET", path: "/orders/1", route: "/orders/:id", headers: {} },
});
const outside: Fact = { kind: "outside", outside: change("Vercel", "deployment", { title: "Deploy 1.4.2" }) };

const kindsOfInput: readonly (readonly [string, InvestigationSubject, readonly Fact[]])[] = [
  ["a pasted error with its code", textSubject(text, files), []],
  ["a pasted log without an error", textSubject("2026-03-01T10:00:00Z ERROR db: connection refused\n"), []],
  [
    "an alert",
    announcedSubject("checkout answers 31% of its requests with 500"),
    [{ kind: "deploy", deploy: ownDeploy }],
  ],
  ["an event without telemetry", eventSubject(event), []],
  ["an event and another service's release", eventSubject(event), [{ kind: "deploy", deploy }]],
  ["an event and a finding of a third party", eventSubject(event), [outside]],
  [
    "a process exit",
    {
      incident: { id: "inc_1", service: "orders", fingerprint: "v2:exit", env: "PROD" },
      input: { kind: "process-exit", exit: exit() },
    },
    [{ kind: "deploy", deploy: { ...ownDeploy, reason: { kind: "before-exit" }, firstSeen: null, counts: null } }],
  ],
];

/** Another text, the same for the same one. It names the vendors that texts cite, as they must. */
function otherText(one: string): string {
  if (one === "") return "";
  const letters = createHash("sha256").update(one).digest("hex").replace(/\d/g, "x");
  return `${letters} of Vercel`;
}

const words = new Set([
  ...["root_cause_summary", "statement", "detailed_analysis", "summary", "basis", "what", "title", "detail"],
  ...["support", "against", "check", "refuted_by", "not_checked"],
]);

describe("an investigation with other words", () => {
  it.each(kindsOfInput)("ranks, scores, and cites the same: %s", async (_, subject, facts) => {
    const collectors: Collector[] = [{ name: "telemetry", collect: async () => facts.map(seen) }];
    const { report, steps } = await investigated(subject, collectors);
    const other = await investigated(subject, collectors, { messages: reworded(otherText) });
    expect(other.report.root_cause.statement).not.toBe(report.root_cause.statement);
    expect(withoutWords(other.report)).toEqual(withoutWords(report));
    expect(other.steps).toEqual(steps);
  });
});

/** A report with each text that is made of words replaced by whether there is one. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value).map(([name, one]) => [name, words.has(name) ? sizeOf(one) : withoutWords(one)]);
  return Object.fromEntries(parts);
}

function sizeOf(text: unknown): unknown {
  return Array.isArray(text) ? text.length : text !== "";
}
