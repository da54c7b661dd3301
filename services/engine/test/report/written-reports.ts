import type { Findings, Observation } from "../../src/findings.ts";
import { observeData } from "../../src/observe.ts";
import { parseText } from "../../src/parse/parse.ts";
import { parseEvent, readEventFacts } from "../../src/parse/parse-event.ts";
import type { Candidate, Ranking } from "../../src/rank/candidate.ts";
import { bookOf } from "../../src/report/book.ts";
import { english, type Messages } from "../../src/report/messages.en.ts";
import { render, type Written } from "../../src/report/render.ts";
import type {
  AnyCodeSignal,
  CodeSignal,
  CodeSignalArgs,
  CodeSignalKind,
  Subject,
  ValueSource,
} from "../../src/signals/signal.ts";
import { valueSources } from "../../src/signals/signal.ts";
import { SourceText } from "../../src/source-text.ts";
import type { DeployFact, Fact, NeighbourFailure, ProcessState } from "../../src/telemetry-facts.ts";
import type { Traced } from "../../src/trace/traced.ts";
import { call, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

/** What a report is written from. */
export interface Case {
  readonly findings: Findings;
  readonly traced: Traced;
  readonly ranking: Ranking;
}

export const now = Date.parse("2026-03-01T10:00:05.000Z");
export const failedAt = "2026-03-01T10:00:00.000Z";

/** The written parts of a case's report. */
export function reported({ findings, traced, ranking }: Case, messages: Messages = english): Written {
  return render(findings, traced, ranking, bookOf(findings, messages), now, messages);
}

const program: Program = {
  "/srv/orders/src/client.ts": `export async function fetchPayment(id) {
  const response = await fetch(url + id);
  return response.json();
}
`,
  "/srv/orders/src/money.ts": `export function formatMoney(money) {
  return money.currency;
}
`,
};
const site = { file: "/srv/orders/src/money.ts", line: 2, function: "formatMoney" };
const boundary = { file: "/srv/orders/src/client.ts", line: 3, function: "fetchPayment" };

/** A place of the program, with its text. */
function placed({ file, line, function: name }: typeof site): CodeSignal["subject"] {
  return {
    kind: "place",
    file,
    line,
    function: name,
    source: new SourceText("source_file", file, program[file] ?? ""),
  };
}

/** The throw, and one step before it that `how` says. */
export function trail(how: ValueSource): readonly [AnyCodeSignal, AnyCodeSignal] {
  const thrown: CodeSignal<"bad-value"> = {
    kind: "bad-value",
    subject: placed(site),
    args: { expression: "money", was: "undefined", use: "read", member: "currency" },
    ...{ steps: 0, isEnd: false, towards: null },
  };
  const step: CodeSignal<"value-step"> = {
    kind: "value-step",
    subject: placed(boundary),
    args: { how, name: "amount", code: "response.json()" },
    ...{ steps: 1, isEnd: true, towards: thrown },
  };
  return [step, thrown];
}

const event = reportedEvent({
  exceptions: [
    exception("TypeError", "Cannot read properties of undefined (reading 'currency')", [
      frameAt(program, site.file, "money.currency", "formatMoney"),
    ]),
  ],
  breadcrumbs: [call(0.2, { method: "GET", url: "http://payments:8080/p/1", status_code: 503, duration_ms: 12 })],
  request: { method: "GET", path: "/orders/1", route: "/orders/:id", headers: {} },
});
const envelope = { service: "orders", env: "PROD", release: "1.4.2", host: "host-1", instance: "instance-1" };

/** Findings of one event, with what telemetry shows. */
export function eventFindings(facts: readonly Fact[] = []): Findings {
  const error = parseEvent(event);
  const frames = (error.exceptions[0]?.frames ?? []).map((frame, index) => ({
    ...{ exception: 0, index, frame, file: site.file },
    place: { ...site, source: placed(site).source },
  }));
  return {
    incident: { id: "inc_1", service: "orders", env: "PROD", fingerprint: "v2:0123456789abcdef" },
    ...{ observedAt: event.timestamp, error, event: readEventFacts(event, envelope), files: [], frames, clues: [] },
    ...{ observations: facts.map(seen), signatures: [], notChecked: [] },
  };
}

/** A fact with the data that shows it. */
export function seen(fact: Fact): Observation {
  return observeData({ kind: "telemetry", name: fact.kind }, fact, { observed_at: atOf(fact), fact });
}

function atOf(fact: Fact): string {
  return fact.kind === "deploy" ? fact.deploy.at : failedAt;
}

function textFindings(log: string): Findings {
  return {
    incident: { id: "inc_2", service: null, env: null, fingerprint: null },
    ...{ observedAt: failedAt, error: parseText(log), event: null, files: [], frames: [], clues: [] },
    ...{ observations: [], signatures: [], notChecked: [] },
  };
}

/** A ranking with one candidate, and what the code shows of it. */
export function caseOf(
  findings: Findings,
  subject: Subject,
  signals: readonly AnyCodeSignal[] = [],
  changes: { readonly score?: number; readonly service?: string | null } = {},
): Case {
  const { score = 0.85, service = findings.event?.service ?? null } = changes;
  const candidate: Candidate = {
    ...{ subject, service, category: "null-dereference", probability: score, signals: signals.slice(0, 1) },
    ...{ frames: [], observations: findings.observations, signature: null },
  };
  const about = subject.kind === "place" ? "file" : "service";
  return {
    findings,
    traced: { frames: findings.frames, signals, files: [], leftOut: [] },
    ranking: {
      candidates: [candidate],
      confidence: { score, modelScore: score, judged: 3, confirmed: 2, isTie: false, isContested: false, about },
    },
  };
}

export const deploy: DeployFact = {
  ...{ service: "payments", release: "2.0.0", previous: "1.9.0", at: "2026-03-01T09:59:34.000Z", verdict: "near" },
  ...{ reason: { kind: "soon-after" }, firstSeen: failedAt, counts: null, own: false, answeredLast: true },
};
const ownDeploy: DeployFact = {
  ...{ ...deploy, service: "orders", release: "1.4.2", previous: "1.4.1", verdict: "suspect", own: true },
  reason: { kind: "only-in-release" },
  counts: { inRelease: 5, inReleaseMinutes: 9, inOthers: 0, inOthersMinutes: 40 },
};
const neighbour: NeighbourFailure = {
  ...{ service: "payments", message: "Error: no rows", at: "2026-03-01T09:59:59.900Z", link: "trace", role: "deepest" },
  ...{ location: { file: "/srv/payments/src/db.ts", line: 7, function: "load" }, traces: { with: 3, of: 4 } },
  ...{ wasThere: false, category: null, error: { type: "Error", message: "no rows", code: null } },
};
const process = { service: "payments", instance: "p1", host: "host-2", own: false, severity: 1 };
const states: readonly ProcessState[] = [
  {
    ...{ ...process, resource: "memory", since: "2026-03-01T09:00:00.000Z", climbs: true },
    ...{ fromBytes: 100_000_000, toBytes: 400_000_000, limitBytes: 500_000_000 },
  },
  { ...process, resource: "event-loop", delayMs: 3_000 },
  { ...process, resource: "silence", lastAt: "2026-03-01T09:55:00.000Z", othersReporting: 0 },
  {
    ...{ ...process, resource: "restart", at: "2026-03-01T09:58:00.000Z" },
    previous: { lastAt: "2026-03-01T09:57:00.000Z", shutDownCleanly: false },
  },
];
const totals: Fact = {
  kind: "totals",
  impact: {
    ...{ events: 5, first_seen: failedAt, last_seen: "2026-03-01T10:00:04.000Z", services: ["orders"] },
    ...{ routes: ["/orders/:id"], hosts: ["host-1"], releases: ["1.4.2"] },
  },
};
const place: Subject = placed(boundary);
const payments: Subject = { kind: "service", service: "payments" };

const ofCode: { readonly [K in CodeSignalKind]: CodeSignalArgs[K] } = {
  "throw-site": { expression: "money.currency" },
  "bad-value": { expression: "money", was: "null", use: "call", member: null },
  "deliberate-throw": { condition: "!money" },
  "value-step": { how: "computed", name: "total", code: "a * b" },
  "missing-await": { callee: "save()", how: "forgotten" },
  "unreleased-resource": { acquire: "pool.acquire()", leavesAtLine: 3 },
  "message-source": { template: "no thing" },
  "literal-in-message": { value: "http://old" },
  "broken-file": { format: "JSON", problem: "unexpected }", isReported: true },
  "missing-module": { module: "./db.ts" },
  "missing-export": { name: "load", module: "./db.ts", similar: "loadAll" },
  "swallowed-error": { call: "parse(text)" },
  recursion: { function: "walk" },
  "shared-state": { name: "cache", writers: 2 },
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
  [
    "a failure of another service",
    caseOf(eventFindings([{ kind: "neighbour-failure", failure: neighbour }]), payments, [], { service: "payments" }),
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
