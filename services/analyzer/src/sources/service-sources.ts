import {
  blockedStack,
  type Gap,
  type Gathered,
  type GatherFor,
  gather,
  type InvestigationSubject,
  parseEvent,
  type SourceFiles,
  tellingProcess,
} from "@whence/engine";
import { debugIdsOf } from "@whence/protocol";
import type { Logger } from "../logger.ts";
import { readAnnounced } from "../triggers/read-announced.ts";
import type { BuiltFiles } from "./artifacts/built-files.ts";
import { withOriginalFrames } from "./artifacts/original-frames.ts";
import type { IssueSources, PlaceFailed, SourceProvider, WantedRepository, WantedSources } from "./source-provider.ts";
import type { SentSources } from "./uploaded-sources.ts";

/** Asks for the program's main file where no frame is the program's own. */
const mainFile = ".";

interface SourcesContext {
  /** The provider of services' code; none by default. */
  readonly sources?: SourceProvider | undefined;
  /** The code around issues; none by default. */
  readonly issueSources?: IssueSources | undefined;
  /** The files that processes send, for a release whose code is nowhere else; by default they aren't asked. */
  readonly sentSources?: SentSources | undefined;
  /** The maps of built files; none by default. */
  readonly builtFiles?: BuiltFiles | undefined;
  readonly logger: Logger;
}

/**
 * Returns the subject with its calls in the original code, where the maps of built files are stored, and with the code
 * that the error leads to.
 */
export async function withCode(
  subject: InvestigationSubject,
  scopeId: string,
  context: SourcesContext,
): Promise<InvestigationSubject> {
  return withFiles(await withOriginals(subject, scopeId, context), scopeId, context);
}

async function withOriginals(
  subject: InvestigationSubject,
  scopeId: string,
  { builtFiles, logger }: SourcesContext,
): Promise<InvestigationSubject> {
  const { input } = subject;
  if (!builtFiles || input.kind !== "event") return subject;
  const { service, release, event } = input;
  try {
    const wanted = { scopeId, service, release, debugIds: debugIdsOf(event) };
    return { ...subject, input: { ...input, event: await withOriginalFrames(event, wanted, builtFiles) } };
  } catch (error) {
    // The report has to make do with the built code.
    logger.error({ err: error, service }, "could not map the calls of an error to their original code");
    return subject;
  }
}

/** Adds the code that the error leads to, if it is available, and the places that failed. */
async function withFiles(
  subject: InvestigationSubject,
  scopeId: string,
  context: SourcesContext,
): Promise<InvestigationSubject> {
  const wanted = wantedBy(subject);
  if (!wanted) return subject;
  const failures: Gap[] = [];
  const failed: PlaceFailed = (vendor, error) =>
    failures.push({ kind: "collector-failed", collector: vendor, error, isPartial: false });
  try {
    const sources = await openWanted(wanted, { scopeId }, context, failed);
    const gathered = sources
      ? await gather(wanted.about, sources)
      : await gatherSent(subject, wanted, scopeId, context.sentSources);
    const notChecked = [...(subject.notChecked ?? []), ...failures];
    return { ...subject, notChecked, input: { ...wanted.input, ...gathered } };
  } catch (error) {
    // The report has to make do with the code in the event.
    context.logger.error({ err: error, incident: subject.incident.id }, "could not read the source code");
    return subject;
  }
}

/** Whose code is read, and until when. */
type Reading = Pick<WantedSources, "scopeId" | "readUntil">;

/** Opens the code of the failing release, or else of the repository that the failure's issue is in. */
async function openWanted(
  { of, issue }: Wanted,
  reading: Reading,
  { sources, issueSources }: SourcesContext,
  failed: PlaceFailed,
): Promise<SourceFiles | null> {
  const released = of && (await sources?.open({ ...of, ...reading }, failed));
  if (released) return released;
  return (issue && (await issueSources?.open({ ...issue, ...reading }, failed))) ?? null;
}

/**
 * Opens the whole code that {@link withCode} reads from; null where there is none, or it can't be opened. A model reads
 * for longer than an investigation, and says until when.
 */
export async function openTree(
  subject: InvestigationSubject,
  scopeId: string,
  context: SourcesContext,
  readUntil?: AbortSignal,
): Promise<SourceFiles | null> {
  const wanted = wantedBy(subject);
  if (!wanted) return null;
  const { of } = wanted;
  const ignored = (): undefined => undefined;
  try {
    const reading = { scopeId, readUntil };
    const opened = await openWanted(wanted, reading, context, ignored);
    return opened ?? (of && (await context.sentSources?.open({ ...of, ...reading }, ignored))) ?? null;
  } catch (error) {
    context.logger.warn({ err: error, incident: subject.incident.id }, "could not open the source code for a model");
    return null;
  }
}

const noFiles: SourceFiles = { paths: async () => [], read: async () => ({ outcome: "absent" }) };

/** Gathers what processes of the release have sent, and asks them for the failing files that are still missing. */
async function gatherSent(
  { incident, input }: InvestigationSubject,
  { about, of: released }: Wanted,
  scopeId: string,
  sent: SentSources | undefined,
): Promise<Gathered | null> {
  // A text may name any file, so only what a process reported itself asks for files.
  if (!sent || input.kind === "text" || !released || released.release === "") return null;
  const of = { ...released, scopeId };
  const sources = await sent.open(of, () => undefined);
  const gathered = await gather(about, sources ?? noFiles);
  const absent = gathered.notRead.flatMap(({ file, why }) => (why === "absent" ? [file] : []));
  const paths = absent.length === 0 && !sources ? [mainFile] : absent;
  if (paths.length > 0) await sent.ask({ ...of, incidentId: incident.id, paths });
  return sources ? gathered : null;
}

/** The code that is read, and what leads to it. */
interface Wanted {
  /** Null when the service or its release isn't known. */
  readonly of: Omit<WantedSources, "scopeId"> | null;
  /** Null for what isn't an issue. */
  readonly issue: Omit<WantedRepository, "scopeId"> | null;
  readonly about: GatherFor;
  readonly input: InvestigationSubject["input"];
}

/**
 * Null when nothing leads to code: for a process that wasn't blocked, a pasted text with files of its own, and a text
 * without a stack.
 */
function wantedBy({ input }: InvestigationSubject): Wanted | null {
  if (input.kind === "event") {
    const { service, release, event } = input;
    const error = parseEvent(event, input.host.runtime.name);
    const of = { service, release, debugIds: debugIdsOf(event) };
    return { of, issue: null, about: { error, route: event.request?.route }, input };
  }
  if (input.kind === "process-exit") {
    const error = blockedStack(input.exit);
    const process = tellingProcess(input.exit);
    if (!error || !process) return null;
    const { service, release } = process;
    return { of: { service, release }, issue: null, about: { error, route: undefined }, input };
  }
  if (!input.about) return null;
  const { service, release, page, at } = input.about;
  const of = service !== null && release !== null ? { service, release } : null;
  const issue = page === undefined ? null : { page, at };
  const error = readAnnounced(input.errorLog);
  const hasStack = error.chain.some((index) => (error.exceptions[index]?.frames.length ?? 0) > 0);
  return hasStack && (of || issue) ? { of, issue, about: { error, route: undefined }, input } : null;
}
