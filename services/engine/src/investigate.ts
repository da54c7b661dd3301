import type { IncidentStep, Report } from "@whence/protocol";
import type { Findings, ParsedInput } from "./findings/findings.ts";
import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import { filesOf, findingsOf, parseSubject } from "./investigation-findings.ts";
import { type Collected, nothingCollected } from "./observe/collect.ts";
import { blockedStack } from "./parse/blocked-stack.ts";
import type { Ranking } from "./rank/candidate.ts";
import { learnedModel, type RankingModel } from "./rank/model.ts";
import { type RankingModels, rank } from "./rank/rank.ts";
import { type ServiceModel, shippedServiceModel } from "./rank/service-model.ts";
import { readPrintedLine } from "./read-printed-line.ts";
import { assemble } from "./report/assemble.ts";
import { bookOf } from "./report/evidence-book.ts";
import { english, type Messages } from "./report/messages.en.ts";
import { patchOf } from "./report/patch.ts";
import { render } from "./report/render.ts";
import { verify } from "./report/verify.ts";
import type { SourceText } from "./source/source-text.ts";
import { traceBlocked, traceError } from "./trace/trace-error.ts";
import type { Traced } from "./trace/traced.ts";
import { runningPlacesOf, watchPlacesOf } from "./watched/watch-places.ts";
import { failureMessagesOf } from "./watched/watched-failure.ts";
import { observedIn } from "./watched/watched-findings.ts";

export { loadJavaScript } from "./trace/languages.ts";

/** What an investigation gets from its surroundings. */
export interface InvestigationPorts {
  /** Returns what the collectors found, by `collectEvidence` of the same subject; absent when none were asked. */
  readonly collected?: () => Promise<Collected>;
  readonly clock: () => number;
  /** Called after each step with one readable line about what it found. */
  readonly onStep: (step: IncidentStep["step"], detail: string) => Promise<void>;
  /** The ranking models; the shipped ones by default. */
  readonly model?: RankingModel;
  readonly serviceModel?: ServiceModel;
  /** The words of the steps and the report; English when absent. They change nothing else. */
  readonly messages?: Messages;
}

/**
 * Turns a subject into a report, in eight steps. There is always a report, whatever the input, and it satisfies
 * `verifyReport`. Rejects only when `signal` fires or `onStep` rejects.
 */
export async function investigate(
  subject: InvestigationSubject,
  ports: InvestigationPorts,
  signal: AbortSignal,
): Promise<Report> {
  const { messages = english } = ports;
  const { steps } = messages;
  const files = filesOf(subject);
  const parsed = parseSubject(subject, ports.clock);
  await ports.onStep("parse", parsedText(parsed, messages));
  signal.throwIfAborted();

  const given = await trace(parsed, files);
  const shown = given.frames.filter(({ place }) => place !== null).length;
  await ports.onStep("locate", steps.located(shown, given.frames.length, given.signals.length));
  signal.throwIfAborted();

  const collected = (await ports.collected?.()) ?? nothingCollected;
  signal.throwIfAborted();
  await ports.onStep("collect", steps.collected(collected.observations.length, collected.notChecked.length));

  const known = await findingsOf(subject, parsed, files, given, collected);
  await ports.onStep("signatures", steps.matched(known.signatures.map(({ signature }) => signature.id)));

  const ranked = rank(known, given, modelsOf(ports), subject.history);
  await ports.onStep("rank", steps.ranked(ranked.candidates.length, ranked.candidates[0]?.probability ?? 0));
  signal.throwIfAborted();

  const { traced, ranking } = await readPrintedLine(parsed, files, { traced: given, ranking: ranked });
  const findings = { ...known, frames: traced.frames };
  const report = await write(findings, traced, ranking, { ...ports, messages });
  const observed = observedIn(subject);
  if (!observed) return withPlaces(report, subject, traced, ranking);
  const watch = watchPlacesOf(traced, ranking, observed, findings.verdicts);
  return { ...report, watch, watch_for: failureMessagesOf(findings.error) };
}

/** Adds where the running program may be asked to look: of an event, in files whose version is known. */
function withPlaces(report: Report, { input }: InvestigationSubject, traced: Traced, ranking: Ranking): Report {
  if (input.kind !== "event") return report;
  const watch = runningPlacesOf(traced, ranking);
  return watch.length === 0 ? report : { ...report, watch };
}

/** Traces the error, or the stack of a process that was blocked. */
function trace({ error, event, exit }: ParsedInput, files: readonly SourceText[]): Promise<Traced> {
  const stack = exit ? blockedStack(exit) : null;
  return stack ? traceBlocked(stack, files) : traceError(error, event, files);
}

function modelsOf({ model, serviceModel }: InvestigationPorts): RankingModels {
  return { files: model ?? learnedModel(), services: serviceModel ?? shippedServiceModel() };
}

/** Writes the report and checks it. */
async function write(
  findings: Findings,
  traced: Traced,
  ranking: Ranking,
  { clock, onStep, messages }: InvestigationPorts & { readonly messages: Messages },
): Promise<Report> {
  const book = bookOf(findings, messages);
  const written = render(findings, traced, ranking, book, clock(), messages);
  await onStep("explain", written.root_cause_summary);
  const { patch, dropped: unsound } = await patchOf({ findings, traced, ranking, book, messages });
  const whole = assemble({ ...written, ...(patch && { patch }) }, book);
  const { report, dropped } = verify(whole, quotedTexts(findings), { findings, facts: book.facts });
  const problems = [...unsound, ...dropped].map(({ problem }) => problem);
  await onStep("verify", messages.steps.verified(report.evidence.length, problems));
  await onStep("report", messages.steps.reported(report.confidence.score));
  return report;
}

/** Every text that a quote may come from: the input, the errors' own texts, and the lines around frames. */
function quotedTexts({ files, readByModel = [], error, frames }: Findings): SourceText[] {
  const errors = error.exceptions.map(({ source }) => source);
  const windows = frames.flatMap(({ place }) => (place ? [place.source] : []));
  return [...new Set([...files, ...readByModel, ...error.sources, ...errors, ...windows])];
}

function parsedText({ exit, error: { exceptions, chain } }: ParsedInput, { steps }: Messages): string {
  if (exit) return steps.ended(exit.processes.length, exit.kind);
  const head = exceptions[chain[0] ?? -1];
  const error = head ? { type: head.type, frames: head.frames.length, causes: chain.length - 1 } : null;
  return steps.parsed(error, exceptions.length);
}
