import type { IncidentStep, ProcessExit, Report } from "@whence/protocol";
import { onlyChanges } from "./changes/only-change.ts";
import { tellingChanges } from "./changes/telling-changes.ts";
import type { Findings, ParsedError } from "./findings/findings.ts";
import type { Gap } from "./findings/gaps.ts";
import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import { matchSignatures } from "./match/match.ts";
import { withRelatedCategories } from "./match/related-failure-categories.ts";
import { type Collected, nothingCollected } from "./observe/collect.ts";
import { parseText } from "./parse/parse.ts";
import { eventFactsOf, parseEvent } from "./parse/parse-event.ts";
import { findExit } from "./process-exit/find-exit.ts";
import type { Ranking } from "./rank/candidate.ts";
import { learnedModel, type RankingModel } from "./rank/model.ts";
import { rank } from "./rank/rank.ts";
import { assemble } from "./report/assemble.ts";
import { bookOf } from "./report/book.ts";
import { english } from "./report/messages.en.ts";
import { render } from "./report/render.ts";
import { trueObservations } from "./report/truth.ts";
import { verify } from "./report/verify.ts";
import { withFollowedCalls } from "./signals/related-calls.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";
import type { Traced } from "./trace/traced.ts";

export { loadJavaScript } from "./trace/lower/lowerings.ts";

/** What an investigation needs of the outside. */
export interface InvestigationPorts {
  /** What the collectors found, by `collectEvidence` of the same subject; absent: none were asked. */
  readonly collected?: () => Promise<Collected>;
  readonly clock: () => number;
  /** Called after each step with one readable line about what it found. */
  readonly onStep: (step: IncidentStep["step"], detail: string) => Promise<void>;
  /** What ranks; the shipped model unless another is measured. */
  readonly model?: RankingModel;
}

/**
 * From what was handed in to a report, in eight steps. Whatever was handed in, there is a report, and it satisfies
 * `verifyReport`; rejects only when `signal` fires or `onStep` rejects.
 */
export async function investigate(
  subject: InvestigationSubject,
  ports: InvestigationPorts,
  signal: AbortSignal,
): Promise<Report> {
  const { input } = subject;
  if (input.kind === "process-exit") return investigateExit(input.exit, subject, ports, signal);
  return investigateError({ ...subject, input }, ports, signal);
}

/** What an error was printed or reported for. */
type ErrorSubject = InvestigationSubject & {
  readonly input: Exclude<InvestigationSubject["input"], { readonly kind: "process-exit" }>;
};

async function investigateError(
  subject: ErrorSubject,
  ports: InvestigationPorts,
  signal: AbortSignal,
): Promise<Report> {
  const files = filesOf(subject);
  const parsed = parse(subject, ports.clock);
  await ports.onStep("parse", parsedText(parsed.error));
  signal.throwIfAborted();

  const traced = await traceError(parsed.error, parsed.event, files);
  const shown = traced.frames.filter(({ place }) => place !== null).length;
  await ports.onStep("locate", steps.located(shown, traced.frames.length, traced.signals.length));
  signal.throwIfAborted();

  const found: Findings = {
    ...parsed,
    event: parsed.event && withFollowedCalls(parsed.event, traced.signals),
    files,
    frames: traced.frames,
    observations: [],
    signatures: [],
    ...(subject.connected && { connected: subject.connected }),
    notChecked: [
      ...(subject.notChecked ?? []),
      ...notReadOf(subject),
      ...traced.leftOut.map((one) => ({ kind: "code-left-out" as const, ...one })),
    ],
  };
  const collected = (await ports.collected?.()) ?? nothingCollected;
  signal.throwIfAborted();
  await ports.onStep("collect", steps.collected(collected.observations.length, collected.notChecked.length));

  const signatures = matchSignatures(parsed.error);
  await ports.onStep("signatures", steps.matched(signatures.map(({ signature }) => signature.id)));

  const notChecked = [...found.notChecked, ...collected.notChecked];
  const known = withRelatedCategories(trueObservations(collected.observations));
  const release = parsed.event?.release ?? parsed.about?.release ?? null;
  const changes = tellingChanges(known, { error: parsed.error, traced, release });
  // Most of what was changed has nothing to do with a failure.
  const observations = known.filter(({ fact }) => fact.kind !== "change" && fact.kind !== "last-change");
  const lastChanges = known.filter(({ fact }) => fact.kind === "last-change");
  const changed = { changes, onlyChanges: onlyChanges(known), lastChanges };
  const findings: Findings = { ...found, observations, ...changed, notChecked, signatures };
  const ranking = rank(findings, traced, ports.model ?? learnedModel(), subject.history);
  await ports.onStep("rank", rankedText(ranking));
  signal.throwIfAborted();

  return tell(findings, traced, ranking, ports);
}

/** From processes that stopped reporting to a report. Their heartbeats come with it; releases and earlier incidents are queried. */
async function investigateExit(
  exit: ProcessExit,
  { incident, connected }: InvestigationSubject,
  ports: InvestigationPorts,
  signal: AbortSignal,
): Promise<Report> {
  await ports.onStep("parse", steps.ended(exit.processes.length, exit.kind));
  const collected = (await ports.collected?.()) ?? nothingCollected;
  signal.throwIfAborted();
  const { findings, ranking } = findExit(exit, incident, collected, connected);
  await ports.onStep("collect", steps.collected(findings.observations.length, collected.notChecked.length));
  await ports.onStep("rank", rankedText(ranking));
  return tell(findings, nothingTraced, ranking, ports);
}

const { steps } = english;
const nothingTraced: Traced = { frames: [], wraps: [], signals: [], files: [], leftOut: [] };

/** Writes the report and checks it. */
async function tell(findings: Findings, traced: Traced, ranking: Ranking, ports: InvestigationPorts): Promise<Report> {
  const book = bookOf(findings);
  const written = render(findings, traced, ranking, book, ports.clock());
  await ports.onStep("explain", written.root_cause_summary);
  const { report, dropped } = verify(assemble(written, book), quotedTexts(findings), { findings, facts: book.facts });
  const problems = dropped.map(({ problem }) => problem);
  await ports.onStep("verify", steps.verified(report.evidence.length, problems));
  await ports.onStep("report", steps.reported(report.confidence.score));
  return report;
}

type Parsed = Pick<Findings, "incident" | "observedAt" | "error" | "event" | "about">;

function parse({ incident, input }: ErrorSubject, clock: () => number): Parsed {
  if (input.kind === "text") {
    const { errorLog, about } = input;
    const observedAt = about?.at ?? new Date(clock()).toISOString();
    return { incident, observedAt, error: parseText(errorLog), event: null, ...(about && { about }) };
  }
  const { event } = input;
  return { incident, observedAt: event.timestamp, error: parseEvent(event), event: eventFactsOf(input) };
}

function filesOf({ input }: ErrorSubject): SourceText[] {
  return input.files.map((file) => {
    const version = "version" in file ? file.version : undefined;
    return new SourceText("source_file", file.name, file.content, 1, version);
  });
}

function notReadOf({ input }: ErrorSubject): Gap[] {
  return [...Map.groupBy(input.notRead ?? [], ({ why }) => why)].map(([why, files]) => ({
    ...{ kind: "files-not-read", why, files: files.map(({ file }) => file) },
  }));
}

/** Every text that a quote may come from: what was handed in, the errors' own texts, and the lines around frames. */
function quotedTexts({ files, error, frames }: Findings): SourceText[] {
  const errors = error.exceptions.map(({ source }) => source);
  const windows = frames.flatMap(({ place }) => (place ? [place.source] : []));
  return [...new Set([...files, ...error.sources, ...errors, ...windows])];
}

function parsedText({ exceptions, chain }: ParsedError): string {
  const head = exceptions[chain[0] ?? -1];
  const error = head ? { type: head.type, frames: head.frames.length, causes: chain.length - 1 } : null;
  return steps.parsed(error, exceptions.length);
}

function rankedText({ candidates }: Ranking): string {
  return steps.ranked(candidates.length, candidates[0]?.probability ?? 0);
}
