import { type Gap, type GatherFor, gather, type InvestigationSubject, parseEvent } from "@whence/engine";
import type { Logger } from "../logger.ts";
import { readAnnounced } from "../triggers/read-announced.ts";
import type { PlaceFailed, SourceProvider } from "./source-provider.ts";

interface SourcesContext {
  /** The provider of services' code; none by default. */
  readonly sources?: SourceProvider | undefined;
  readonly logger: Logger;
}

/** Adds the code that the error leads to, if the service's source code is available, and the providers that failed. */
export async function withCode(
  subject: InvestigationSubject,
  scopeId: string,
  { sources: provider, logger }: SourcesContext,
): Promise<InvestigationSubject> {
  const wanted = wantedBy(subject);
  if (!wanted || !provider) return subject;
  const { service, release, about } = wanted;
  const failures: Gap[] = [];
  const failed: PlaceFailed = (vendor, error) =>
    failures.push({ kind: "collector-failed", collector: vendor, error, isPartial: false });
  try {
    const sources = await provider.open({ scopeId, service, release }, failed);
    const gathered = sources ? await gather(about, sources) : null;
    const notChecked = [...(subject.notChecked ?? []), ...failures];
    return { ...subject, notChecked, input: { ...wanted.input, ...gathered } };
  } catch (error) {
    // The report has to make do with the code in the event.
    logger.error({ err: error, service }, "could not read the source code of a service");
    return subject;
  }
}

/** The service whose code is read, and what leads to it. */
interface Wanted {
  readonly service: string;
  readonly release: string;
  readonly about: GatherFor;
  readonly input: Exclude<InvestigationSubject["input"], { readonly kind: "process-exit" }>;
}

/**
 * Null when nothing leads to code: for a process exit, a pasted text with files of its own, and a text without a stack.
 */
function wantedBy({ input }: InvestigationSubject): Wanted | null {
  if (input.kind === "event") {
    const { service, release, event } = input;
    return {
      service,
      release,
      about: { error: parseEvent(event, input.host.runtime.name), route: event.request?.route },
      input,
    };
  }
  if (input.kind === "process-exit" || !input.about) return null;
  const { service, release } = input.about;
  const error = readAnnounced(input.errorLog);
  const hasStack = error.chain.some((index) => (error.exceptions[index]?.frames.length ?? 0) > 0);
  return service !== null && release !== null && hasStack
    ? { service, release, about: { error, route: undefined }, input }
    : null;
}
