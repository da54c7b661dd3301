import {
  type Candidate,
  type Category,
  type DeathKind,
  type Impact,
  isCrashLoop,
  type Report,
  type SilentDeath,
} from "@whence/protocol";
import { EvidenceBook } from "../evidence-book.ts";
import type { InvestigationPorts, InvestigationSubject } from "../investigate.ts";
import { type Collected, collect } from "../observe/collect.ts";
import { capital, citation, inlineCode } from "../prose.ts";
import { engine } from "../report/assemble.ts";
import { verify } from "../report/verify.ts";
import { adviceOn } from "./advice.ts";
import { assessEnd, type EndKind, mostTelling, type PossibleEnd } from "./assess.ts";
import { endText } from "./end-text.ts";
import { foretell } from "./foretell.ts";
import { loopText } from "./loop-text.ts";
import { type ObservedProcess, observeProcess, processText, stackPlace } from "./observe-death.ts";

const categories: Readonly<Record<DeathKind, Category>> = {
  "out-of-memory": "resource-exhaustion",
  killed: "unknown",
  hung: "infinite-loop",
  "host-lost": "unknown",
  "everything-silent": "unknown",
};

/** Processes that fell silent, and the incident they are. */
export interface DeathSubject {
  readonly death: SilentDeath;
  readonly incident: InvestigationSubject["incident"];
}

/**
 * From processes that fell silent to a report: what they said last, and what speaks for each way to end. The readings
 * were taken when the silence was noticed; releases and earlier incidents are asked for.
 */
export async function investigateDeath(
  { death, incident }: DeathSubject,
  ports: Pick<InvestigationPorts, "collectors" | "onStep">,
  signal: AbortSignal,
): Promise<Report> {
  const observed = death.processes.map((process) => observeProcess(process, death));
  const told = isCrashLoop(death) ? mostTelling(death.processes) : death.processes[0];
  const first = observed.find(({ process }) => process === told);
  if (!first) throw new TypeError("a silent death names at least one process");
  await ports.onStep("parse", `${death.processes.length} processes fell silent: ${death.kind}`);
  const count = observed.reduce((sum, { readings }) => sum + readings.length, 0);
  const collected = await collect(ports.collectors, { incident, observedAt: death.noticedAt, event: null }, signal);
  await ports.onStep(
    "collect",
    `${count} heartbeats from before the silence, ${collected.observations.length} pieces of evidence from telemetry`,
  );

  const book = new EvidenceBook();
  const ends = assessEnd(first.process);
  const candidates = candidatesOf(death, { observed, first, ends, collected }, book);
  await ports.onStep("rank", candidates.map(({ statement, score }) => `${score.toFixed(2)} ${statement}`).join("; "));
  const draft = {
    ...write(death, { observed, first, ends, collected }, candidates, book),
    predictions: foretell(death, incident),
  };
  await ports.onStep("explain", draft.root_cause_summary);
  const { report, dropped } = verify(draft, []);
  await ports.onStep("verify", `${dropped.length} statements dropped`);
  await ports.onStep("report", `confidence ${report.confidence.score.toFixed(2)}`);
  return report;
}

/** The processes, the one of them whose end is told of, and what that may have been. */
interface Seen {
  readonly observed: readonly ObservedProcess[];
  readonly first: ObservedProcess;
  readonly ends: readonly PossibleEnd[];
  /** What was known beside: releases, earlier incidents. */
  readonly collected: Collected;
}

/** What the processes have in common is the cause where there are several; else what each end has going for it. */
function candidatesOf(death: SilentDeath, { observed, first, ends }: Seen, book: EvidenceBook): Candidate[] {
  const isLoop = isCrashLoop(death);
  const silences = (isLoop ? observed : [first]).map(({ silence }) => book.cite(silence));
  const loop = isLoop ? `${capital(loopText(death.processes))}. ` : "";
  const shared = sharedStatement(death);
  const place = stackPlace(first.process.mainThreadStack);
  const service = death.kind === "everything-silent" || death.kind === "host-lost" ? null : first.process.service;
  const ofEnds = ends.map((end, index) => ({
    category: categories[end.kind],
    statement: `${index === 0 ? loop : ""}${capital(processText(first.process))} ${endText(end, isLoop)}: ${end.says.join("; ")}.`,
    location: end.kind === "hung" ? place : null,
    service,
    score: end.likelihood,
    evidence_ids: [...silences, ...evidenceFor(end.kind, first, book)],
  }));
  const ofAll = {
    ...{ category: categories[death.kind], statement: shared, location: null, service, score: death.confidence },
    evidence_ids: death.processes.map((process) => book.cite(observeProcess(process, death).silence)),
  };
  return [...(shared === "" ? [] : [ofAll]), ...ofEnds].map((candidate, index) => ({ rank: index + 1, ...candidate }));
}

function sharedStatement({ kind, processes }: SilentDeath): string {
  const services = [...new Set(processes.map(({ service }) => service))].map(inlineCode).join(", ");
  const hosts = [...new Set(processes.map(({ host }) => host))];
  if (kind === "host-lost") {
    return `The machine ${hosts.map(inlineCode).join(", ")} is gone, or cannot be reached: ${processes.length} processes (${services}) fell silent together.`;
  }
  if (kind === "everything-silent") {
    return `${processes.length} processes of ${services} on ${hosts.length} machines fell silent at the same moment: likelier the way from them to this service, or the cluster under them, than so many deaths.`;
  }
  return "";
}

function evidenceFor(kind: EndKind, { readings, stack }: ObservedProcess, book: EvidenceBook): string[] {
  const last = readings.slice(kind === "out-of-memory" ? -3 : -1).map((reading) => book.cite(reading));
  return [...last, ...(kind === "hung" && stack ? [book.cite(stack)] : [])];
}

function write(
  death: SilentDeath,
  seen: Seen,
  candidates: readonly Candidate[],
  book: EvidenceBook,
): Omit<Report, "predictions"> {
  const [first] = candidates;
  const ids = first?.evidence_ids ?? [];
  const statement = `${first?.statement ?? ""} ${citation(isCrashLoop(death) ? ids : ids.slice(0, 3))}`;
  const unsure = death.confidence < 0.5 ? "Not sure, the likeliest: " : "";
  const { now, later } = adviceOn(death);
  const parts = {
    root_cause_summary: `${unsure}${statement}${lastDeed(death, seen, book)}`,
    chain: [],
    root_cause: {
      category: categories[death.kind],
      statement,
      location: first?.location ?? null,
      service: first?.service ?? null,
    },
    candidates: [...candidates],
    detailed_analysis: analysis(death, seen, book),
    short_term_solutions: now.map((advice) => ({ ...advice, evidence_ids: ids })),
    long_term_solutions: later.map((advice) => ({ ...advice, evidence_ids: ids })),
    timeline: timeline(death, seen, book),
    impact: impact(death),
    confidence: {
      score: Math.min(0.95, Math.max(0.05, death.confidence)),
      basis:
        "How surely the ways to end are told apart by what the process said last. Judged by rules, not fitted to deaths of known cause: the machine it ran on knows, this service does not.",
    },
    not_checked: [...notChecked(death), ...seen.collected.notChecked],
  };
  const report = { ...parts, evidence: [...book.evidence] };
  const fields = Object.keys(report).map((field) => [field, "server" as const]);
  return { ...report, provenance: Object.fromEntries(fields), engine };
}

/** What the process that is told of did last, in a sentence; several that ended at once have no last deed in common. */
function lastDeed({ kind }: SilentDeath, { first }: Seen, book: EvidenceBook): string {
  const last = first.breadcrumbs.at(-1);
  if (!last || kind === "host-lost" || kind === "everything-silent") return "";
  return ` Last it did: ${last.summary} ${citation([book.cite(last)])}.`;
}

const processesDescribedMax = 10;

function analysis(death: SilentDeath, { observed, first, ends, collected }: Seen, book: EvidenceBook): string {
  const described = observed.slice(0, processesDescribedMax);
  const more = observed.length - described.length;
  const isTold = observed.length === 1 || isCrashLoop(death);
  return [
    "## What happened",
    "",
    ...described.map(({ silence }) => `- ${capital(silence.summary)}. ${citation([book.cite(silence)])}`),
    ...(more > 0 ? [`- … and ${more} more.`] : []),
    ...(isTold ? ["", "## What speaks for each end", "", ...ends.map((end) => endLine(end, first, book))] : []),
    ...(first.readings.length > 0
      ? [
          "",
          "## What it said last",
          "",
          ...first.readings.map((one) => `- ${one.observed_at}: ${one.summary} ${citation([book.cite(one)])}`),
        ]
      : []),
    ...(first.breadcrumbs.length > 0
      ? [
          "",
          "## What it did last",
          "",
          ...first.breadcrumbs.map((one) => `- ${one.observed_at}: ${one.summary} ${citation([book.cite(one)])}`),
        ]
      : []),
    ...(first.stack
      ? ["", "## Where the main thread stood", "", `${first.stack.summary} ${citation([book.cite(first.stack)])}`]
      : []),
    ...(collected.observations.length > 0
      ? [
          "",
          "## What else is known",
          "",
          ...collected.observations.map((one) => `- ${capital(one.summary)}. ${citation([book.cite(one)])}`),
        ]
      : []),
    "",
    `A process counts as silent after ${Math.round(death.silentAfterMs / 1_000)} seconds without a word; heartbeats come every 60.`,
  ].join("\n");
}

function endLine({ kind, likelihood, says }: PossibleEnd, first: ObservedProcess, book: EvidenceBook): string {
  const ids = [book.cite(first.silence), ...evidenceFor(kind, first, book)];
  return `- **${kind}** (${likelihood.toFixed(2)}): ${says.join("; ")}. ${citation(ids)}`;
}

function timeline(death: SilentDeath, { observed, collected }: Seen, book: EvidenceBook): Report["timeline"] {
  const entries = observed
    .slice(0, processesDescribedMax)
    .flatMap(({ process, silence, readings, breadcrumbs, stack }) => [
      { at: process.firstHeardAt, what: `${processText(process)} was heard first`, evidence_id: book.cite(silence) },
      ...[...readings, ...breadcrumbs, ...(stack ? [stack] : [])].map((one) => ({
        ...{ at: one.observed_at, what: one.summary, evidence_id: book.cite(one) },
      })),
      { at: process.lastHeardAt, what: `${processText(process)} was heard last`, evidence_id: book.cite(silence) },
    ]);
  const [first] = observed;
  const noticed = first
    ? [{ at: death.noticedAt, what: `noticed: ${death.kind}`, evidence_id: book.cite(first.silence) }]
    : [];
  const beside = collected.observations.map((one) => ({
    ...{ at: one.observed_at, what: one.summary, evidence_id: book.cite(one) },
  }));
  return [...entries, ...beside, ...noticed].toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

function impact(death: SilentDeath): Impact {
  const { processes, kind, othersHeard } = death;
  const each = isCrashLoop(death) ? ", one after the other" : "";
  const distinct = (values: readonly string[]): string[] => [...new Set(values.filter((value) => value !== ""))];
  const last = processes.map(({ lastHeardAt }) => lastHeardAt).toSorted();
  return {
    summary: `${processes.length} ${processes.length === 1 ? "process" : "processes"} of ${distinct(processes.map(({ service }) => service)).join(", ")}${each}: ${kind}.${othersText(othersHeard)}`,
    first_seen: last[0] ?? null,
    last_seen: last.at(-1) ?? null,
    events: processes.length,
    services: distinct(processes.map(({ service }) => service)),
    routes: [],
    hosts: distinct(processes.map(({ host }) => host)),
    releases: distinct(processes.map(({ release }) => release)),
  };
}

/** Whether anybody is left to serve. */
function othersText(others: number | null): string {
  if (others === null) return "";
  if (others === 0) return " No other process of it was heard of when that was noticed.";
  return ` ${others} ${others === 1 ? "other was" : "others were"} heard of when that was noticed.`;
}

function notChecked(death: SilentDeath): string[] {
  const { processes } = death;
  return [
    "the machine: its kernel, its orchestrator and the process's exit code know how it ended; none of them was asked",
    "dependencies: a silence is told of by what the processes themselves said last",
    ...(isCrashLoop(death)
      ? [
          "what the processes printed before their ends: `kubectl logs --previous`, `docker logs` and `journalctl` have it, this service does not",
          "whether somebody starts them on purpose: a job that ends without closing its client looks the same",
        ]
      : []),
    ...(processes.every(({ breadcrumbs }) => breadcrumbs.length === 0)
      ? [
          "what the processes did last: none of them has said (its client carries no breadcrumbs in heartbeats, or there were none)",
        ]
      : []),
    ...(processes.some(({ readings }) => readings.length === 0)
      ? ["heartbeats: none is kept of some of the processes, so that memory and event loop are unknown"]
      : []),
  ];
}
