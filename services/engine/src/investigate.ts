import type { FileContent, Host, IncidentStep, Report, SilentDeath, TelemetryEvent } from "@whence/protocol";
import { investigateDeath } from "./death/investigate-death.ts";
import { EvidenceBook } from "./evidence-book.ts";
import type { Findings, ParsedError } from "./findings.ts";
import type { FileNotRead, GatheredFile } from "./gather/gather.ts";
import { notReadText } from "./gather/not-read-text.ts";
import { matchSignatures } from "./match/match.ts";
import { withNeighbourCategories } from "./match/neighbour-categories.ts";
import { collect } from "./observe/collect.ts";
import type { Collector } from "./observe/collector.ts";
import type { OrganizationHistory } from "./organization-history.ts";
import { parseText } from "./parse/parse.ts";
import { parseEvent, readEventFacts } from "./parse/parse-event.ts";
import { withHistory } from "./rank/organization-calibration.ts";
import { rank } from "./rank/rank.ts";
import { assemble } from "./report/assemble.ts";
import { explain } from "./report/explain.ts";
import { verify } from "./report/verify.ts";
import { SourceText } from "./source-text.ts";
import { locate } from "./trace/trace-error.ts";

/** What there is to investigate. */
export interface InvestigationSubject {
  /** What is known beforehand not to be looked at. */
  readonly notChecked?: readonly string[];
  /** What became of the organization's reports so far; absent: nobody asked. */
  readonly history?: OrganizationHistory;
  readonly incident: {
    readonly id: string;
    readonly service: string | null;
    readonly env: string | null;
    readonly fingerprint: string | null;
  };
  readonly input:
    | { readonly kind: "text"; readonly errorLog: string; readonly files: readonly FileContent[] }
    | {
        readonly kind: "event";
        readonly event: TelemetryEvent;
        readonly service: string;
        readonly env: string;
        readonly release: string;
        readonly host: Host;
        readonly instance: string;
        readonly receivedAt: string;
        /** The service's code that was gathered for it. */
        readonly files: readonly GatheredFile[];
        readonly notRead: readonly FileNotRead[];
      }
    | { readonly kind: "death"; readonly death: SilentDeath };
}

/** What an investigation needs of the outside. */
export interface InvestigationPorts {
  readonly collectors: readonly Collector[];
  readonly clock: () => number;
  /** Called after each step with one readable line about what it found. */
  readonly onStep: (step: IncidentStep["step"], detail: string) => Promise<void>;
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
  const { input, incident } = subject;
  if (input.kind === "death") return investigateDeath({ death: input.death, incident }, ports, signal);
  return investigateError({ ...subject, input }, ports, signal);
}

/** What an error was printed or reported for. */
type ErrorSubject = InvestigationSubject & {
  readonly input: Exclude<InvestigationSubject["input"], { readonly kind: "death" }>;
};

async function investigateError(
  subject: ErrorSubject,
  ports: InvestigationPorts,
  signal: AbortSignal,
): Promise<Report> {
  const files = filesOf(subject);
  const parsed = parse(subject, ports.clock);
  await ports.onStep("parse", sayParsed(parsed.error));
  signal.throwIfAborted();

  const { leftOut, ...located } = await locate(parsed.error, parsed.event, files);
  const shown = located.frames.filter(({ place }) => place !== null).length;
  await ports.onStep(
    "locate",
    `${shown} of ${located.frames.length} frames found in the code that was given, ${located.clues.length} clues in it`,
  );
  signal.throwIfAborted();

  const found: Findings = {
    ...parsed,
    ...located,
    files,
    observations: [],
    signatures: [],
    notChecked: [...(subject.notChecked ?? []), ...notReadOf(subject), ...leftOut],
  };
  const collected = await collect(subject.input.kind === "event" ? ports.collectors : [], found, signal);
  await ports.onStep(
    "collect",
    `${collected.observations.length} pieces of evidence from telemetry${failures(collected.notChecked)}`,
  );

  const signatures = matchSignatures(parsed.error);
  await ports.onStep(
    "signatures",
    signatures.length === 0
      ? "no known failure matches"
      : `known: ${signatures.map(({ signature }) => signature.id).join(", ")}`,
  );

  const notChecked = [...found.notChecked, ...collected.notChecked];
  const observations = withNeighbourCategories(collected.observations);
  const findings: Findings = { ...found, observations, notChecked, signatures };
  const ranking = withHistory(rank(findings), subject.history);
  await ports.onStep(
    "rank",
    `${ranking.candidates.length} possible causes, the first scores ${ranking.candidates[0]?.score.toFixed(2) ?? "0"}`,
  );
  signal.throwIfAborted();

  const book = new EvidenceBook();
  const written = explain(findings, ranking, book, ports.clock());
  await ports.onStep("explain", written.root_cause_summary);

  const { report, dropped } = verify(assemble(findings, ranking, written, book), quotedTexts(findings));
  await ports.onStep(
    "verify",
    dropped.length === 0
      ? `all ${report.evidence.length} pieces of evidence hold`
      : `${dropped.length} statements dropped: ${dropped[0]?.problem ?? ""}`,
  );

  await ports.onStep("report", `confidence ${report.confidence.score.toFixed(2)}`);
  return report;
}

type Parsed = Pick<Findings, "incident" | "observedAt" | "error" | "event">;

function parse({ incident, input }: ErrorSubject, clock: () => number): Parsed {
  if (input.kind === "text") {
    return { incident, observedAt: new Date(clock()).toISOString(), error: parseText(input.errorLog), event: null };
  }
  const { event, service, env, release, host, instance } = input;
  const facts = readEventFacts(event, { service, env, release, host: host.name, instance });
  return { incident, observedAt: event.timestamp, error: parseEvent(event), event: facts };
}

function filesOf({ input }: ErrorSubject): SourceText[] {
  if (input.kind === "text")
    return input.files.map(({ name, content }) => new SourceText("source_file", name, content));
  return input.files.map(({ name, content, version }) => new SourceText("source_file", name, content, 1, version));
}

function notReadOf({ input }: ErrorSubject): string[] {
  return input.kind === "event" ? notReadText(input.notRead) : [];
}

/** Every text that a quote may come from: what was handed in, the errors' own texts, and the lines around frames. */
function quotedTexts({ files, error, frames }: Findings): SourceText[] {
  const errors = error.exceptions.map(({ source }) => source);
  const windows = frames.flatMap(({ place }) => (place ? [place.source] : []));
  return [...new Set([...files, ...error.sources, ...errors, ...windows])];
}

function sayParsed({ exceptions, chain, unread }: ParsedError): string {
  const head = exceptions[chain[0] ?? -1];
  if (!head) return unread[0] ?? "no error found";
  const causes = chain.length > 1 ? `, ${chain.length - 1} causes below it` : "";
  return `${head.type} with ${head.frames.length} frames${causes}; ${exceptions.length} errors in all`;
}

function failures(notChecked: readonly string[]): string {
  return notChecked.length === 0 ? "" : `; not answered: ${notChecked.join("; ")}`;
}
