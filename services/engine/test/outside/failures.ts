import type {
  Breadcrumb,
  Exception,
  ExitedProcess,
  OutsideFinding,
  ProcessExit,
  Report,
  VitalReading,
} from "@whence/protocol";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { observeData } from "../../src/findings/observe-input.ts";
import type { Collector } from "../../src/observe/collector.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { call, eventSubject, exception, frameAt, investigated, type Program, reportedEvent } from "../testing.ts";

/** When every failure here happens. */
export const failedAt = "2026-03-01T10:00:00.000Z";

/** So many seconds after the failure; before it when negative. */
export const at = (seconds: number): string => new Date(Date.parse(failedAt) + seconds * 1_000).toISOString();

const program: Program = {
  "/srv/orders/src/price.ts": `export function priceOf(cart) {
  const total = cart.items.reduce((sum, item) => sum + item.price, 0);
  return total.toFixed(cart.currency.digits);
}
`,
};

/** An error of the own code that no call led to. */
export const ownError: Exception = exception("TypeError", "Cannot read properties of undefined (reading 'digits')", [
  frameAt(program, "/srv/orders/src/price.ts", "cart.currency.digits", "priceOf"),
]);

/** What the system says when a connection failed. */
export function connectionError(message: string, properties: Record<string, unknown>): Exception {
  return exception("Error", message, [], properties);
}

/** A call shortly before the failure that failed without an answer. */
export function failedCall(url: string, code: string): Breadcrumb {
  return call(1, { method: "GET", url, error: "the call failed", error_code: code, duration_ms: 30 });
}

/** A call shortly before the failure that was answered. */
export function answeredCall(url: string, status: number): Breadcrumb {
  return call(1, { method: "GET", url, status_code: status, duration_ms: 30 });
}

export interface Failure {
  readonly error: Exception;
  readonly calls?: readonly Breadcrumb[];
  readonly facts?: readonly Fact[];
  readonly connected?: InvestigationSubject["connected"];
}

/** The report on a failure of `orders`, with what third parties told. */
export async function reportOn(failure: Failure, told: readonly OutsideFinding[]): Promise<Report> {
  const event = reportedEvent({
    exceptions: [failure.error],
    breadcrumbs: failure.calls ?? [],
    request: { method: "GET", path: "/orders/1", route: "/orders/:id", headers: {} },
  });
  const subject = { ...eventSubject(event), ...(failure.connected && { connected: failure.connected }) };
  return (await investigated(subject, [telemetry(failure.facts ?? []), thirdParties(told)])).report;
}

/** The report on processes that stopped, with what third parties told. */
export async function reportOnExit(
  exit: ProcessExit,
  told: readonly OutsideFinding[],
  connected?: InvestigationSubject["connected"],
): Promise<Report> {
  const incident = { id: "inc_1", service: "orders", fingerprint: "v2:exit", env: "PROD" };
  const subject = { incident, input: { kind: "process-exit", exit }, ...(connected && { connected }) } as const;
  return (await investigated(subject, [thirdParties(told)])).report;
}

function telemetry(facts: readonly Fact[]): Collector {
  const source = { kind: "telemetry", name: "telemetry" } as const;
  return {
    name: "telemetry",
    collect: async () => facts.map((fact) => observeData(source, fact, { observed_at: failedAt, fact })),
  };
}

function thirdParties(told: readonly OutsideFinding[]): Collector {
  return {
    name: "Third parties",
    collect: async () =>
      told.map((outside) => {
        const time = outside.kind === "problem" ? outside.since : outside.at;
        const source = { kind: "integration", name: outside.vendor, ...(outside.url !== null && { url: outside.url }) };
        return observeData({ ...source, kind: "integration" }, outside, {
          ...{ observed_at: time ?? failedAt, fact: { kind: "outside", outside } },
        });
      }),
  };
}

/** The vendors that the links of the chain cite, in its order. */
export function blamed(report: Report): string[] {
  const vendors = new Map(
    report.evidence.flatMap(({ id, source }) => (source.kind === "integration" ? [[id, source.name] as const] : [])),
  );
  return [...new Set(report.chain.flatMap(({ evidence_ids: ids }) => ids.flatMap((id) => vendors.get(id) ?? [])))];
}

/** What a report claims, without the numbers of its evidence and what it lists beside. */
export function claims({ root_cause, chain, candidates, confidence, root_cause_summary, ...report }: Report): unknown {
  return {
    ...{ category: root_cause.category, statement: root_cause.statement, root_cause_summary, confidence },
    chain: chain.map(({ what }) => what),
    candidates: candidates.map(({ statement, score, support, against }) => [statement, score, support, against]),
    fixes: [...report.short_term_solutions, ...report.long_term_solutions].map(({ title }) => title),
    impact: report.impact,
  };
}

const reading: VitalReading = {
  ...{ at: at(0), rssBytes: 160_000_000, heapUsedBytes: 100_000_000, heapLimitBytes: 500_000_000 },
  ...{ memoryLimitBytes: null, eventLoopDelayMs: 3, mainThreadBlockedMs: null, requests: null, failedRequests: null },
};

/** A process of `orders` that stopped without shutting down, healthy by its heartbeats. */
export function exit(changes: Partial<ProcessExit> = {}, process: Partial<ExitedProcess> = {}): ProcessExit {
  const exited: ExitedProcess = {
    ...{ instance: "i1", service: "orders", host: "orders-6b7c9d5f4-x2k8p", pid: 1, runtime: "node 26", os: "linux" },
    ...{ release: "1.4.2", firstSeenAt: at(-3_600), lastSeenAt: failedAt, lastEventId: "", lastSentAt: failedAt },
    ...{ readings: [reading], breadcrumbs: [], mainThreadStack: "" },
    ...process,
  };
  return {
    ...{ kind: "killed", confidence: 0.6, exitAfterMs: 150_000, noticedAt: at(150), othersReporting: 2 },
    processes: [exited],
    ...changes,
  };
}
