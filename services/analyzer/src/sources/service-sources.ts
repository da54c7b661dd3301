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
import type { PlaceFailed, SourceProvider, WantedSources } from "./source-provider.ts";
import type { SentSources } from "./uploaded-sources.ts";

/** Asks for the program's main file where no frame is the program's own. */
const mainFile = ".";

interface SourcesContext {
  /** The provider of services' code; none by default. */
  readonly sources?: SourceProvider | undefined;
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

/** Adds the code that the error leads to, if the service's source code is available, and the providers that failed. */
async function withFiles(
  subject: InvestigationSubject,
  scopeId: string,
  { sources: provider, sentSources: sent, logger }: SourcesContext,
): Promise<InvestigationSubject> {
  const wanted = wantedBy(subject);
  if (!wanted || !(provider || sent)) return subject;
  const { service, release, debugIds, about } = wanted;
  const failures: Gap[] = [];
  const failed: PlaceFailed = (vendor, error) =>
    failures.push({ kind: "collector-failed", collector: vendor, error, isPartial: false });
  try {
    const of = { scopeId, service, release, debugIds };
    const sources = (await provider?.open(of, failed)) ?? null;
    const gathered = sources ? await gather(about, sources) : await gatherSent(subject, wanted, of, sent);
    const notChecked = [...(subject.notChecked ?? []), ...failures];
    return { ...subject, notChecked, input: { ...wanted.input, ...gathered } };
  } catch (error) {
    // The report has to make do with the code in the event.
    logger.error({ err: error, service }, "could not read the source code of a service");
    return subject;
  }
}

/** Opens the whole code that {@link withCode} reads from; null where there is none, or it can't be opened. */
export async function openTree(
  subject: InvestigationSubject,
  scopeId: string,
  { sources, sentSources, logger }: SourcesContext,
): Promise<SourceFiles | null> {
  const wanted = wantedBy(subject);
  if (!wanted) return null;
  const { service, release, debugIds } = wanted;
  const of = { scopeId, service, release, debugIds };
  try {
    const ignored = (): undefined => undefined;
    return (await sources?.open(of, ignored)) ?? (await sentSources?.open(of, ignored)) ?? null;
  } catch (error) {
    logger.warn({ err: error, service: of.service }, "could not open the source code of a service for a model");
    return null;
  }
}

const noFiles: SourceFiles = { paths: async () => [], read: async () => ({ outcome: "absent" }) };

/** Gathers what processes of the release have sent, and asks them for the failing files that are still missing. */
async function gatherSent(
  { incident, input }: InvestigationSubject,
  { about }: Wanted,
  of: WantedSources,
  sent: SentSources | undefined,
): Promise<Gathered | null> {
  // A text may name any file, so only what a process reported itself asks for files.
  if (!sent || input.kind === "text" || of.release === "") return null;
  const sources = await sent.open(of, () => undefined);
  const gathered = await gather(about, sources ?? noFiles);
  const absent = gathered.notRead.flatMap(({ file, why }) => (why === "absent" ? [file] : []));
  const paths = absent.length === 0 && !sources ? [mainFile] : absent;
  if (paths.length > 0) await sent.ask({ ...of, incidentId: incident.id, paths });
  return sources ? gathered : null;
}

/** The service whose code is read, and what leads to it. */
interface Wanted {
  readonly service: string;
  readonly release: string;
  readonly debugIds: ReadonlyMap<string, string>;
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
    return {
      service,
      release,
      debugIds: debugIdsOf(event),
      about: { error: parseEvent(event, input.host.runtime.name), route: event.request?.route },
      input,
    };
  }
  if (input.kind === "process-exit") {
    const error = blockedStack(input.exit);
    const process = tellingProcess(input.exit);
    return error && process
      ? {
          service: process.service,
          release: process.release,
          debugIds: new Map(),
          about: { error, route: undefined },
          input,
        }
      : null;
  }
  if (!input.about) return null;
  const { service, release } = input.about;
  const error = readAnnounced(input.errorLog);
  const hasStack = error.chain.some((index) => (error.exceptions[index]?.frames.length ?? 0) > 0);
  return service !== null && release !== null && hasStack
    ? { service, release, debugIds: new Map(), about: { error, route: undefined }, input }
    : null;
}
