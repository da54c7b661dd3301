import { type Gathered, gather, type InvestigationSubject, parseEvent } from "@whence/engine";
import type { ControlDb } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { openCheckout } from "./checkout.ts";

/** A folder with a service's code, and whose it is: anyone can report under any service's name. */
export interface Checkout {
  /** The organization's slug. */
  readonly organization: string;
  /** The name that the service reports under. */
  readonly service: string;
  readonly folder: string;
}

interface SourcesContext {
  readonly checkouts?: readonly Checkout[] | undefined;
  readonly control: Pick<ControlDb, "organizations">;
  readonly logger: Logger;
}

const nothing: Gathered = { files: [], notRead: [] };

/** Adds the code that the error leads to, where the source code of the organization's service is configured. */
export async function withCode(
  subject: InvestigationSubject,
  scopeId: string,
  { checkouts, control, logger }: SourcesContext,
): Promise<InvestigationSubject> {
  const { input } = subject;
  const named = input.kind === "event" ? checkouts?.filter(({ service }) => service === input.service) : undefined;
  if (input.kind !== "event" || named === undefined || named.length === 0) return subject;
  try {
    const slug = await control.organizations.slug(scopeId);
    const folder = named.find(({ organization }) => organization === slug)?.folder;
    if (folder === undefined) return subject;
    const sources = await openCheckout(folder, input.release);
    if (!sources) logger.warn({ folder, service: input.service }, "the folder in WHENCE_SOURCES does not exist");
    const { request } = input.event;
    const error = parseEvent(input.event);
    const { files, notRead } = sources ? await gather({ error, route: request?.route }, sources) : nothing;
    return { ...subject, input: { ...input, files, notRead } };
  } catch (error) {
    // The report has to do with the code in the event.
    logger.error({ err: error, service: input.service }, "could not read the source code of a service");
    return subject;
  }
}
