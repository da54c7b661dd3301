import { valueSources } from "../../src/signals/code/value-sources.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { ProcessState } from "../../src/signals/facts/process-state.ts";
import type { RelatedFailure } from "../../src/signals/facts/related-failure.ts";
import type { AnyCodeSignal, CodeSignalArgs, CodeSignalKind } from "../../src/signals/signal.ts";
import type { Subject } from "../../src/signals/subject.ts";
import { releaseThatChanged, unexplainedCase } from "../signals/facts/changed-cases.ts";
import {
  boundary,
  type Case,
  caseOf,
  deploy,
  eventFindings,
  ownDeploy,
  placed,
  textFindings,
  totals,
  trail,
} from "./written-reports.ts";

const related: RelatedFailure = {
  ...{ service: "payments", message: "Error: no rows", at: "2026-03-01T09:59:59.900Z", link: "trace", role: "deepest" },
  ...{ location: { file: "/srv/payments/src/db.ts", line: 7, function: "load" }, traces: { with: 3, of: 4 } },
  ...{ wasThere: false, category: null, error: { type: "Error", message: "no rows", code: null } },
};
const process = { service: "payments", instance: "p1", host: "host-2", own: false, severity: 1 };
const states: readonly ProcessState[] = [
  {
    ...{ ...process, resource: "memory", of: "heap", since: "2026-03-01T09:00:00.000Z", climbs: true },
    ...{ fromBytes: 100_000_000, toBytes: 400_000_000, limitBytes: 500_000_000 },
  },
  { ...process, resource: "event-loop", delayMs: 3_000 },
  { ...process, resource: "pool", pool: { name: "orders-db", used: 10, max: 10, waiting: 4 } },
  { ...process, resource: "cpu", share: 0.98, usual: 0.4 },
  { ...process, host: "", resource: "cpu", share: 0.98, usual: 0.4 },
  { ...process, resource: "exit", lastAt: "2026-03-01T09:55:00.000Z", othersReporting: 0 },
  {
    ...{ ...process, resource: "restart", at: "2026-03-01T09:58:00.000Z" },
    previous: { lastAt: "2026-03-01T09:57:00.000Z", shutDownCleanly: false },
  },
];
const place: Subject = placed(boundary);
const payments: Subject = { kind: "service", service: "payments" };

const changed = {
  kind: "change-event",
  ...{ vendor: "Acme Cloud", title: "Round prices", target: "orders", by: "Ada", failed: null },
  ...{ at: "2026-03-01T09:59:20.000Z", url: "https://cloud.example/1" },
} as const;
const changes = ["deployment", "release", "rollout", "configuration", "firewall", "feature-flag"] as const;
const broken = {
  kind: "problem",
  ...{ vendor: "Acme Cloud", title: "payments is down", target: "payments", until: null },
  ...{ since: "2026-03-01T09:59:20.000Z", url: "https://cloud.example/2" },
} as const;
const problems = [
  ...(["alarm", "outage", "incident", "out-of-memory", "crash-loop", "restart"] as const),
  ...(["unschedulable", "failed-check"] as const),
];

const ofCode: { readonly [K in CodeSignalKind]: CodeSignalArgs[K] } = {
  "throw-site": { expression: "money.currency" },
  "bad-value": { expression: "money", was: "null", use: "call", member: null },
  "deliberate-throw": { condition: "!money", isTrue: true },
  "value-step": { how: "computed", name: "total", code: "a * b" },
  "missing-await": { callee: "save()", how: "forgotten" },
  "unreleased-resource": { acquire: "pool.acquire()", leavesAtLine: 3 },
  "message-source": { template: "no thing" },
  "literal-in-message": { value: "http://old", isLiteral: true },
  "broken-file": { format: "JSON", problem: "unexpected }", isReported: true },
  "named-file": { name: "./rates.json", file: "src/rates.json" },
  "missing-module": { module: "./db.ts" },
  "missing-export": { name: "load", module: "./db.ts", similar: "loadAll" },
  "swallowed-error": { call: "parse(text)" },
  recursion: { function: "walk" },
  "shared-state": { name: "cache", writers: 2 },
  "unawaited-value": { callee: "loadOrder", read: "total" },
  "mixed-units": {
    how: "given",
    code: "ttl",
    unit: "seconds",
    other: "setTimeout",
    otherUnit: "milliseconds",
    keptAs: null,
  },
  "racing-check": { check: "seats.has(seat)", wait: "pay(seat)", act: "seats.add" },
  "kept-credential": { name: "current", obtained: "issueToken", how: "first-use" },
  "shared-default": { name: "DEFAULTS", change: "headers.token = token", how: "constant" },
  "backtracking-pattern": { pattern: "/(a+)+$/", growth: "exponential", repeats: ["(a+)+", "a+"] },
  "endless-loop": { names: ["next"] },
  "blocking-call": { call: "readFileSync", how: "synchronous" },
  "kept-resource": { acquire: "pool.acquire", how: "unless-left", leavesAtLine: 3, uses: 4 },
  "page-count": { code: "Math.floor(total / size) + 1", total: "total", size: "size" },
  "time-limit": { code: "AbortSignal.timeout(limitMs)", limit: "limitMs" },
  "exchanged-arguments": {
    callee: "Table.between",
    first: { code: "to", as: "from" },
    second: { code: "from", as: "to" },
  },
  "computed-index": { how: "not-found", code: "text.indexOf(':')", use: "text.slice(0, end)", isSliced: true },
  "reference-equality": { code: "left == right", type: "String" },
  overflow: { code: "pieces * volume" },
  "rounded-parts": { code: "Math.round(total * share)", whole: "total" },
  "renamed-column": { code: "row.unit", column: "unit", to: "currency", migration: "src/002.sql" },
  "import-cycle": { module: "./index.ts", files: ["price.ts", "index.ts"], instead: "tax.ts" },
  "utc-day": { code: "new Date(day)", read: "date.getDay()" },
  "split-text": { code: "chunk.toString()", chunk: "chunk" },
  "compressed-text": { reads: "parseBody", inflates: "gunzipBody" },
  "lost-type": { parse: "JSON.parse", member: "getTime", type: "Date" },
  "lost-keys": { parse: "json.load", key: "12", handed: 'raw["levels"]' },
  "text-order": { column: "tickets.code", type: "VARCHAR", how: "order" },
  "naive-time": { made: "datetime.utcnow()" },
  "silent-wrapper": { calls: "operation" },
  "late-binding": { name: "handler", how: "loop" },
  "removed-key": { key: "supplier", code: 'item.pop("supplier")' },
  "own-event": { topic: "stock.adjusted", code: 'bus.publish("stock.adjusted", event)' },
  "spent-iterator": { code: "rows(path)", first: "gradesOf(culms)" },
  "repeated-write": { code: "retry(() => this.place(order))", write: "this.orders.insert(order)", isOnStack: true },
  "unset-field": { field: "rows", className: "Desk" },
  "cleared-column": { column: "email", table: "comments" },
  "written-file": { file: "data/settings.json", code: "req.body[key]" },
  "mistyped-setting": { setting: "max_rows", declared: "str", code: "max_rows > 0" },
  "shadowed-variable": { variable: "userId" },
  "skipped-entry": { code: "int(row[1])", into: "prices", isLast: false },
  "lost-override": { code: "{ ...given, ...defaults }", defaults: "defaults", given: "given", key: null, lost: null },
  "mistyped-field": { field: "Product.price", declared: "Decimal", was: "a number", code: 'entry["price"]' },
  "unserialized-text": { text: "str(order)", parse: "json.loads" },
};

function codeCase(kind: CodeSignalKind): Case {
  const base = { subject: placed(boundary), steps: 2, isEnd: false, towards: null };
  const signal = { kind, args: ofCode[kind], ...base } as AnyCodeSignal;
  return caseOf(eventFindings(), place, [signal, trail("call")[1]]);
}

const answers = (failed: number): Fact => ({
  kind: "answers",
  service: "orders",
  minutes: [{ at: "2026-03-01T10:02:00.000Z", requests: 40, failed }],
});

/** A case of every kind of link and signal. */
export const kindsOfFailure: readonly (readonly [name: string, one: Case])[] = [
  [
    "a release of another service",
    caseOf(
      eventFindings([deploy].map((one) => ({ kind: "deploy", deploy: one }) as const)),
      { kind: "release", service: "payments", release: "2.0.0" },
      trail("answer-field"),
      { service: "payments" },
    ),
  ],
  [
    "an own release",
    caseOf(
      eventFindings([{ kind: "deploy", deploy: ownDeploy }, totals]),
      { kind: "release", service: "orders", release: "1.4.2" },
      trail("property"),
    ),
  ],
  ["a release of another service that changed one file", unexplainedCase({ files: 1, isWhole: true })],
  ...releaseThatChanged.map(([what, one]) => [`a release that ${what}`, one] as const),
  [
    "a failure of another service",
    caseOf(eventFindings([{ kind: "related-failure", failure: related }]), payments, [], { service: "payments" }),
  ],
  [
    "failing calls",
    caseOf(
      eventFindings([
        {
          kind: "failing-calls",
          calls: {
            host: "payments:8080",
            service: null,
            how: "status",
            events: 4,
            of: 5,
            others: 0,
            othersOf: 9,
            chance: 0.001,
          },
        },
      ]),
      { kind: "dependency", name: "payments:8080" },
    ),
  ],
  ...states.map(
    (state) =>
      [
        `a process: ${state.resource}`,
        caseOf(eventFindings([{ kind: "process-state", state }]), payments, [], { service: "payments" }),
      ] as const,
  ),
  ...changes.map(
    (what) =>
      [
        `a change: ${what}`,
        caseOf(eventFindings([{ kind: "outside", outside: { ...changed, what } }]), place, trail("property")),
      ] as const,
  ),
  ...problems.map(
    (what) =>
      [
        `a problem: ${what}`,
        caseOf(eventFindings([{ kind: "outside", outside: { ...broken, what } }]), {
          kind: "dependency",
          name: "payments:8080",
        }),
      ] as const,
  ),
  ...valueSources.map((how) => [`a value: ${how}`, caseOf(eventFindings([totals]), place, trail(how))] as const),
  ...(Object.keys(ofCode) as CodeSignalKind[]).map((kind) => [`code: ${kind}`, codeCase(kind)] as const),
  [
    "a setting",
    caseOf(eventFindings(), { kind: "setting", name: "PAYMENTS_URL", where: "environment" }, trail("environment")),
  ],
  ["a configuration key", caseOf(eventFindings(), { kind: "setting", name: "db.url", where: "configuration" })],
  ["an input", caseOf(eventFindings(), { kind: "input", name: "quantity" })],
  [
    "a dependency",
    caseOf(textFindings("Error: connect ECONNREFUSED 10.0.0.1:5432"), { kind: "dependency", name: "10.0.0.1:5432" }),
  ],
  ["a frame", caseOf(eventFindings(), place)],
  ["a guess", caseOf(eventFindings(), place, [], { score: 0.2 })],
  [
    "a plain text",
    caseOf(textFindings("something odd happened"), { kind: "service", service: "" }, [], { score: 0.1, service: null }),
  ],
  ["nothing", caseOf(textFindings(""), { kind: "service", service: "" }, [], { score: 0.1, service: null })],
  ...[0, 9, 40].map(
    (failed) =>
      [
        `requests that heartbeats count, ${failed} of them failed`,
        caseOf(eventFindings([totals, answers(failed)]), { kind: "service", service: "orders" }),
      ] as const,
  ),
];
