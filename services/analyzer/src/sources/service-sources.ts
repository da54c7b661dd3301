import { type Gathered, gather, type InvestigationSubject, parseEvent } from "@whence/engine";
import { isAgentScope } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { openCheckout } from "./checkout.ts";

/** The folder with each service's code, by the name that the service reports under. */
export type Checkouts = ReadonlyMap<string, string>;

const nothing: Gathered = { files: [], notRead: [] };

/**
 * The subject with the code that its error leads to, where the service's source is known. An unclaimed agent gets none:
 * anyone who reaches the server can register one, under any service's name.
 */
export async function withCode(
  subject: InvestigationSubject,
  scopeId: string,
  { checkouts, logger }: { readonly checkouts?: Checkouts | undefined; readonly logger: Logger },
): Promise<InvestigationSubject> {
  const { input } = subject;
  const folder = input.kind === "event" && !isAgentScope(scopeId) ? checkouts?.get(input.service) : undefined;
  if (input.kind !== "event" || folder === undefined) return subject;
  try {
    const sources = await openCheckout(folder, input.release);
    if (!sources) logger.warn({ folder, service: input.service }, "the folder that WHENCE_SOURCES names is not there");
    const { request } = input.event;
    const error = parseEvent(input.event);
    const { files, notRead } = sources ? await gather({ error, route: request?.route }, sources) : nothing;
    return { ...subject, input: { ...input, files, notRead } };
  } catch (error) {
    // The report is written with what came with the event.
    logger.error({ err: error, service: input.service }, "the source code of a service could not be read");
    return subject;
  }
}
