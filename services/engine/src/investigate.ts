import type { IncidentStep, Report } from "@whence/protocol";
import { onlyChanges } from "./changes/only-change.ts";
import { tellingChanges } from "./changes/telling-changes.ts";
import type { Findings } from "./findings/findings.ts";
import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import type { ParsedError } from "./findings/parsed-error.ts";
import { matchSignatures } from "./match/match.ts";
import { withRelatedCategories } from "./match/related-failure-categories.ts";
import { type Collected, nothingCollected } from "./observe/collect.ts";
import { parseText } from "./parse/parse.ts";
import { eventFactsOf, parseEvent } from "./parse/parse-event.ts";
import { observeExit } from "./process-exit/observe-exit.ts";
import type { Ranking } from "./rank/candidate.ts";
import { learnedModel, type RankingModel } from "./rank/model.ts";
import { rank } from "./rank/rank.ts";
import { assemble } from "./report/assemble.ts";
import { bookOf } from "./report/book.ts";
import { english } from "./report/messages.en.ts";
import { render } from "./report/render.ts";
import { trueObservations } from "./report/truth.ts";
import { verify } from "./report/verify.ts";
import type { Gap } from "./signals/gap.ts";
import { withFollowedCalls } from "./signals/related-calls.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";
import type { Traced } from "./trace/traced.ts";

export { loadJavaScript } from "./trace/languages.ts";

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
  const files = filesOf(subject);
  const parsed = parse(subject, ports.clock);
  await ports.onStep("parse", parsedText(parsed));
  signal.throwIfAborted();

  const traced = await traceError(parsed.error, parsed.event, files);
  const shown = traced.frames.filter(({ place }) => place !== null).length;
  await ports.onStep("locate", steps.located(shown, traced.frames.length, traced.signals.length));
  signal.throwIfAborted();

  const collected = (await ports.collected?.()) ?? nothingCollected;
  signal.throwIfAborted();
  await ports.onStep("collect", steps.collected(collected.observations.length, collected.notChecked.length));

  const signatures = matchSignatures(parsed.error);
  await ports.onStep("signatures", steps.matched(signatures.map(({ signature }) => signature.id)));

  const findings: Findings = {
    ...parsed,
    event: parsed.event && withFollowedCalls(parsed.event, traced.signals),
    files,
    frames: traced.frames,
    signatures,
    ...observationsOf(parsed, traced, collected),
    ...(subject.connected && { connected: subject.connected }),
    notChecked: [
      ...(subject.notChecked ?? []),
      ...notReadOf(subject),
      ...traced.leftOut.map((one) => ({ kind: "code-left-out" as const, ...one })),
      ...collected.notChecked,
    ],
  };
  const ranking = rank(findings, traced, ports.model ?? learnedModel(), subject.history);
  await ports.onStep("rank", steps.ranked(ranking.candidates.length, ranking.candidates[0]?.probability ?? 0));
  signal.throwIfAborted();

  return write(findings, traced, ranking, ports);
}

const { steps } = english;

/** Writes the report and checks it. */
async function write(findings: Findings, traced: Traced, ranking: Ranking, ports: InvestigationPorts): Promise<Report> {
  const book = bookOf(findings);
  const written = render(findings, traced, ranking, book, ports.clock());
  await ports.onStep("explain", written.root_cause_summary);
  const { report, dropped } = verify(assemble(written, book), quotedTexts(findings), { findings, facts: book.facts });
  const problems = dropped.map(({ problem }) => problem);
  await ports.onStep("verify", steps.verified(report.evidence.length, problems));
  await ports.onStep("report", steps.reported(report.confidence.score));
  return report;
}

type Parsed = Pick<Findings, "incident" | "observedAt" | "error" | "event" | "about" | "exit">;

const noError: ParsedError = {
  exceptions: [],
  chain: [],
  chosenBecause: null,
  records: [],
  alert: null,
  headline: "",
  sources: [],
  unread: [],
};

function parse({ incident, input }: InvestigationSubject, clock: () => number): Parsed {
  switch (input.kind) {
    case "text": {
      const { errorLog, about } = input;
      const observedAt = about?.at ?? new Date(clock()).toISOString();
      return { incident, observedAt, error: parseText(errorLog), event: null, ...(about && { about }) };
    }
    case "process-exit":
      return { incident, observedAt: input.exit.noticedAt, error: noError, event: null, exit: input.exit };
    case "event":
      return {
        incident,
        observedAt: input.event.timestamp,
        error: parseEvent(input.event, input.host.runtime.name),
        event: eventFactsOf(input),
      };
  }
}

/** Without an error that a change could be compared with, the few files that a release changed are named, up to this many. */
const filesNamedWithoutError = 3;

/** The evidence from telemetry, and what of the releases' changes bears on the failure: most has nothing to do with it. */
function observationsOf(
  { error, event, about, exit }: Parsed,
  traced: Traced,
  collected: Collected,
): Pick<Findings, "observations" | "changes" | "onlyChanges" | "lastChanges"> {
  const known = withRelatedCategories(trueObservations(collected.observations));
  const observed = known.filter(({ fact }) => fact.kind !== "release-change" && fact.kind !== "last-change");
  if (exit) {
    return {
      observations: [...observeExit(exit), ...observed],
      onlyChanges: onlyChanges(known, filesNamedWithoutError),
    };
  }
  const release = event?.release ?? about?.release ?? null;
  return {
    observations: observed,
    changes: tellingChanges(known, { error, traced, release }),
    onlyChanges: onlyChanges(known),
    lastChanges: known.filter(({ fact }) => fact.kind === "last-change"),
  };
}

function filesOf({ input }: InvestigationSubject): SourceText[] {
  if (input.kind === "process-exit") return [];
  return input.files.map((file) => {
    const version = "version" in file ? file.version : undefined;
    return new SourceText("source_file", file.name, file.content, 1, version);
  });
}

function notReadOf({ input }: InvestigationSubject): Gap[] {
  if (input.kind === "process-exit") return [];
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

function parsedText({ exit, error: { exceptions, chain } }: Parsed): string {
  if (exit) return steps.ended(exit.processes.length, exit.kind);
  const head = exceptions[chain[0] ?? -1];
  const error = head ? { type: head.type, frames: head.frames.length, causes: chain.length - 1 } : null;
  return steps.parsed(error, exceptions.length);
}
