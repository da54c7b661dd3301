import { type Actor, dayMs } from "@whence/protocol";
import type { ControlDb, KnownAlertSource, LifecycleOutcome, OwnerOutcome } from "@whence/storage";
import {
  type ConversationClient,
  type ConversationVendors,
  type OutboundContext,
  type PressedButton,
  VendorFailure,
} from "@whence/vendors";
import { incidentUrl } from "../incidents/incident-url.ts";
import type { Logger } from "../logger.ts";
import { answerOf } from "./compose-answer.ts";
import { conversationLimits } from "./conversation-limits.ts";
import { withButtons } from "./incident-buttons.ts";
import { isReadByOthers } from "./refusal.ts";

/** The dependencies for handling the press of a button. */
export interface PressContext {
  readonly control: Pick<ControlDb, "scope" | "alertSources">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly vendors: ConversationVendors;
  readonly outbound: OutboundContext;
  /** The application's address for people, without a trailing slash. */
  readonly appUrl: string;
}

interface SourceOf {
  readonly scopeId: string;
  readonly sourceId: string;
}

const mutedForMs = dayMs;
const readByOthers =
  "Nothing was done, because people from outside of the organization can read this channel. Use the incident's page.";
const onlyMembers = "Only members of the organization can do this. Whence recognizes them by their email address.";

/**
 * Performs a button's action for a member of the organization, and updates the button's message. Tells anyone else why
 * nothing happened. Idempotent. If the vendor doesn't say who pressed, nothing happens; if it rejects the new message,
 * the action is still performed. The error names the source, and the button can be pressed again.
 */
export async function handlePress(context: PressContext, of: SourceOf, pressed: PressedButton): Promise<void> {
  const { control, vendors, outbound, clock, logger } = context;
  const source = await control.alertSources.find(of.sourceId);
  if (!source) return;
  const client = vendors[source.kind]?.open(source.inputs, outbound);
  if (!client) return;
  const signal = AbortSignal.timeout(conversationLimits.attemptWithinMs);
  let failed = "a button couldn't be handled";
  try {
    const press = { client, pressed, signal };
    const member = await memberWho(context, of, { ...press, source });
    const problem = typeof member === "string" ? member : await act(context, of, pressed, member);
    if (problem === null) failed = "what a button says was done, but its message couldn't be changed";
    else await client.pressers?.tell(pressed.place, problem, signal);
    if (typeof member !== "string") await showState(context, of, press);
  } catch (error) {
    if (!(error instanceof VendorFailure)) throw error;
    logger.warn({ err: error, source: of.sourceId }, failed);
    const failure = `${failed}: ${error.message}`.slice(0, conversationLimits.reasonLengthMax);
    await control.scope(of.scopeId).alertSources.note(of.sourceId, { failure }, new Date(clock()));
  } finally {
    await client.close();
  }
}

interface Press {
  readonly client: ConversationClient;
  readonly pressed: PressedButton;
  readonly signal: AbortSignal;
}

/** Returns the member with the address that the vendor has verified; otherwise, why nothing is done. */
async function memberWho(
  { control }: PressContext,
  { scopeId }: SourceOf,
  { client, pressed, signal, source }: Press & { readonly source: KnownAlertSource },
): Promise<Actor | string> {
  if (await isReadByOthers(client, pressed.place, source, signal)) return readByOthers;
  if (!(await client.isAskedByMember(pressed.place, signal))) return onlyMembers;
  const address = (await client.pressers?.addressOf(pressed.place, signal))?.toLowerCase();
  const members = await control.scope(scopeId).ownership.members();
  const member = members.find(({ email }) => email === address);
  return member ? { kind: "member", id: member.id, name: member.name } : onlyMembers;
}

/** Returns why nothing was done; null when it was, or was so already. */
async function act(
  { control, clock }: PressContext,
  { scopeId }: SourceOf,
  { action, incidentId: id, at }: PressedButton,
  by: Actor,
): Promise<string | null> {
  const { lifecycle, ownership } = control.scope(scopeId);
  const now = new Date(clock());
  switch (action) {
    case "take":
      return problemOf(await ownership.change(id, { action: "take" }, by, now));
    case "resolve":
      return problemOf(await lifecycle.change(id, { action: "resolve", in: "now" }, by, now));
    case "reopen":
      return problemOf(await lifecycle.change(id, { action: "reopen" }, by, now));
    case "mute": {
      // By the time of the press, so that the same press again changes nothing.
      const until = { kind: "time", at: new Date(Date.parse(at) + mutedForMs).toISOString() } as const;
      return problemOf(await lifecycle.change(id, { action: "mute", until }, by, now));
    }
  }
}

function problemOf({ outcome }: LifecycleOutcome | OwnerOutcome): string | null {
  switch (outcome) {
    case "changed":
    case "unchanged":
      return null;
    case "unknown":
      return "This incident was deleted.";
    case "merged":
      return "This incident was merged into another one. Open it to see which.";
    case "refused":
      return "This incident is resolved and needs no muting. Reopen it first.";
    case "no-release":
    case "no-failure":
    case "no-member":
      return "This can't be done with this incident.";
  }
}

/** Replaces the message by the answer as it is now, with the buttons that are left. */
async function showState(
  { control, appUrl }: PressContext,
  { scopeId }: SourceOf,
  { client, pressed, signal }: Press,
): Promise<void> {
  const { place, messageId, incidentId, at } = pressed;
  const incident = await control.scope(scopeId).incidents.find(incidentId);
  if (!incident) return;
  const message = withButtons(answerOf(incident, incidentUrl(appUrl, incident.id)), incident);
  await client.post(place, message, { replaces: messageId, key: `press ${messageId} ${at}`, signal });
}
