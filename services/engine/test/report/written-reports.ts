import type { Findings } from "../../src/findings/findings.ts";
import type { Observation } from "../../src/findings/observation.ts";
import { observeData } from "../../src/findings/observe-input.ts";
import { parseText } from "../../src/parse/parse.ts";
import { parseEvent, readEventFacts } from "../../src/parse/parse-event.ts";
import type { Candidate, Ranking } from "../../src/rank/candidate.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { english, type Messages } from "../../src/report/messages.en.ts";
import { render, type Written } from "../../src/report/render.ts";
import type { ValueSource } from "../../src/signals/code/value-sources.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import type { AnyCodeSignal, CodeSignal } from "../../src/signals/signal.ts";
import type { Subject } from "../../src/signals/subject.ts";
import { SourceText } from "../../src/source/source-text.ts";
import type { Traced } from "../../src/trace/traced.ts";
import { nothingTraced } from "../nothing-traced.ts";
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
export const site = { file: "/srv/orders/src/money.ts", line: 2, function: "formatMoney" };
export const boundary = { file: "/srv/orders/src/client.ts", line: 3, function: "fetchPayment" };

/** A place of the program, with its text. */
export function placed({ file, line, function: name }: typeof site): CodeSignal["subject"] {
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

export function textFindings(log: string): Findings {
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
    traced: { ...nothingTraced, frames: findings.frames, signals },
    ranking: {
      candidates: [candidate],
      confidence: {
        score,
        modelScore: score,
        engineScore: score,
        agreement: null,
        judged: 3,
        confirmed: 2,
        isTie: false,
        isContested: false,
        isForgeable: false,
        bareStack: null,
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
export const totals: Fact = {
  kind: "totals",
  impact: {
    ...{ events: 5, first_seen: failedAt, last_seen: "2026-03-01T10:00:04.000Z", services: ["orders"] },
    ...{ routes: ["/orders/:id"], hosts: ["host-1"], releases: ["1.4.2"] },
  },
};
