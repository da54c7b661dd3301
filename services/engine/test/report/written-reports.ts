import { onlyChanges } from "../../src/changes/only-change.ts";
import type { TellingChange } from "../../src/changes/telling-changes.ts";
import type { Findings } from "../../src/findings/findings.ts";
import type { Observation } from "../../src/findings/observation.ts";
import { observeData } from "../../src/findings/observe-input.ts";
import { parseText } from "../../src/parse/parse.ts";
import { parseEvent, readEventFacts } from "../../src/parse/parse-event.ts";
import type { Candidate, Ranking } from "../../src/rank/candidate.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { english, type Messages } from "../../src/report/messages.en.ts";
import { render, type Written } from "../../src/report/render.ts";
import type { ChangeEffect } from "../../src/signals/change-effect.ts";
import { type ValueSource, valueSources } from "../../src/signals/code/value-sources.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import type { ProcessState } from "../../src/signals/facts/process-state.ts";
import type { RelatedFailure } from "../../src/signals/facts/related-failure.ts";
import { hunkText, type ReleaseChange } from "../../src/signals/facts/release-change.ts";
import type { AnyCodeSignal, CodeSignal, CodeSignalArgs, CodeSignalKind } from "../../src/signals/signal.ts";
import type { Subject } from "../../src/signals/subject.ts";
import { SourceText } from "../../src/source/source-text.ts";
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
    ...{ observedAt: event.timestamp, error, event: readEventFacts(event, envelope), files: [], frames },
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
    ...{ observedAt: failedAt, error: parseText(log), event: null, files: [], frames: [] },
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
    traced: { frames: findings.frames, wraps: [], signals, files: [], leftOut: [] },
    ranking: {
      candidates: [candidate],
      confidence: {
        score,
        modelScore: score,
        judged: 3,
        confirmed: 2,
        isTie: false,
        isContested: false,
        isForgeable: false,
        about,
      },
    },
  };
}

export const deploy: DeployFact = {
  ...{ service: "payments", release: "2.0.0", previous: "1.9.0", at: "2026-03-01T09:59:34.000Z", verdict: "near" },
  ...{ reason: { kind: "soon-after" }, firstSeen: failedAt, counts: null, own: false, answeredLast: true },
};
export const ownDeploy: DeployFact = {
  ...{ ...deploy, service: "orders", release: "1.4.2", previous: "1.4.1", verdict: "suspect", own: true },
  reason: { kind: "only-in-release" },
  counts: { inRelease: 5, inReleaseMinutes: 9, inOthers: 0, inOthersMinutes: 40 },
};
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
  { ...process, resource: "exit", lastAt: "2026-03-01T09:55:00.000Z", othersReporting: 0 },
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
  "deliberate-throw": { condition: "!money" },
  "value-step": { how: "computed", name: "total", code: "a * b" },
  "missing-await": { callee: "save()", how: "forgotten" },
  "unreleased-resource": { acquire: "pool.acquire()", leavesAtLine: 3 },
  "message-source": { template: "no thing" },
  "literal-in-message": { value: "http://old" },
  "broken-file": { format: "JSON", problem: "unexpected }", isReported: true },
  "named-file": { name: "./rates.json", file: "src/rates.json" },
  "missing-module": { module: "./db.ts" },
  "missing-export": { name: "load", module: "./db.ts", similar: "loadAll" },
  "swallowed-error": { call: "parse(text)" },
  recursion: { function: "walk" },
  "shared-state": { name: "cache", writers: 2 },
  "unawaited-value": { callee: "loadOrder", read: "total" },
  "shared-default": { name: "DEFAULTS", change: "headers.token = token", how: "constant" },
  "lost-type": { parse: "JSON.parse", member: "getTime", type: "Date" },
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

const built: ReleaseChange["commit"] = {
  ...{
    id: "1a2b3c4d5e6f",
    author: "Ada 47",
    subject: "rename 3 fields",
    at: "2026-03-01T09:00:00.000Z",
    of: "release",
  },
};

/** A hunk of a release, and what it has to do with the failure. */
export function changeOf(of: DeployFact, effect: ChangeEffect, commit = built): TellingChange {
  const { service, release, previous, at: releasedAt } = of;
  const hunk = { from: 12, removed: ["  return { amount };"], to: 13, added: ["  return { total: amount };"] };
  const path = of.own ? site.file : "src/body.ts";
  const change = { service, release, previous: previous ?? "", releasedAt, path, hunk, commit };
  const observation: TellingChange["observation"] = {
    ...{ source: { kind: "source_file", name: path }, observed_at: releasedAt, excerpt: hunkText(hunk) },
    ...{ range: null, sha256: "0".repeat(64), location: null, fact: { kind: "release-change", change } },
  };
  return {
    effect,
    deploy: of,
    observation,
    place: { file: path, line: effect.kind === "line" ? effect.line : 13, function: null },
  };
}

/** A failure after a release, with what that changed. */
export function changedCase(of: DeployFact, effect: ChangeEffect, commit = built): Case {
  const comparison = comparisonOf(of, { files: 5, isWhole: true });
  const findings = eventFindings([{ kind: "deploy", deploy: of }, comparison, totals]);
  const subject: Subject = of.own ? placed(site) : { kind: "release", service: of.service, release: of.release };
  const signals = trail(of.own ? "property" : "answer-field");
  return caseOf({ ...findings, changes: [changeOf(of, effect, commit)] }, subject, signals, { service: of.service });
}

/** A failure after a release of another service that changed a file, and nothing that leads from there to the failure. */
export function unexplainedCase(comparison: { readonly files: number; readonly isWhole: boolean }): Case {
  const { observation } = changeOf(deploy, { kind: "line", file: "src/body.ts", line: 13 });
  const findings = eventFindings([{ kind: "deploy", deploy }, comparisonOf(deploy, comparison), totals]);
  return caseOf(
    { ...findings, onlyChanges: onlyChanges([...findings.observations, observation]) },
    { kind: "release", service: "payments", release: "2.0.0" },
    trail("answer-field"),
    { service: "payments" },
  );
}

function comparisonOf(of: DeployFact, read: { readonly files: number; readonly isWhole: boolean }): Fact {
  const commits = [
    { id: "1a2b3c4d5e6f", author: "Ada 47", subject: "rename 3 fields", at: "2026-03-01T09:00:00.000Z" },
  ];
  const { service, release, previous, at: releasedAt } = of;
  return {
    kind: "comparison",
    comparison: {
      ...{ service, release, previous: previous ?? "", releasedAt, commits, ...read },
      ...{ dependencies: [], schema: [], data: [] },
    },
  };
}

const name = { kind: "name", name: "amount" } as const;
const releaseThatChanged: readonly (readonly [string, Case])[] = [
  ["renamed a field", changedCase(deploy, { ...name, change: "renamed", renamedTo: "total" })],
  [
    "renamed a field, its commit unknown",
    changedCase(deploy, { ...name, change: "renamed", renamedTo: "total" }, null),
  ],
  ["removed a field", changedCase(deploy, { ...name, change: "removed", renamedTo: null })],
  ["makes a field differently", changedCase(deploy, { ...name, change: "changed", renamedTo: null })],
  ["changed a line", changedCase(ownDeploy, { kind: "line", file: site.file, line: site.line })],
  ["changed a function, and is only near", changedCase(nearDeploy(), { kind: "function", file: site.file, line: 1 })],
  ["reads a variable", changedCase(ownDeploy, { kind: "setting", name: "KEY_2", change: "added" })],
  ["no longer reads a variable", changedCase(ownDeploy, { kind: "setting", name: "KEY_2", change: "removed" })],
  ["changed a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: "8.11.0", to: "9" })],
  ["added a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: null, to: "9" })],
  ["removed a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: "8", to: null })],
];

function nearDeploy(): DeployFact {
  return { ...ownDeploy, verdict: "near", reason: { kind: "soon-after" } };
}

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
