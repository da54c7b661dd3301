import { setTimeout as delay } from "node:timers/promises";
import { type AlertSourceKind, alertSourceKinds, secondMs } from "@whence/protocol";
import { type ConversationVendors, type OutboundContext, type SenderInputs, VendorFailure } from "@whence/vendors";
import { isComplete } from "../triggers/source-inputs.ts";
import { conversationLimits } from "./conversation-limits.ts";

/**
 * Asks the vendor whether the credentials of a source work, once they are complete. Resolves with what the vendor says
 * about the bot; with nothing for a kind without conversations. Rejects with a {@link VendorFailure}, at the latest
 * after the time limit.
 */
export async function verifySource(
  { vendors, outbound }: { readonly vendors: ConversationVendors; readonly outbound: OutboundContext },
  kind: AlertSourceKind,
  values: SenderInputs,
  withinMs: number = conversationLimits.verifiedWithinMs,
): Promise<SenderInputs> {
  const vendor = vendors[kind];
  if (!vendor || !isComplete(kind, values)) return {};
  const done = new AbortController();
  try {
    return await Promise.race([vendor.verify(values, outbound), tooSlow(kind, withinMs, done.signal)]);
  } finally {
    done.abort();
  }
}

async function tooSlow(kind: AlertSourceKind, withinMs: number, signal: AbortSignal): Promise<never> {
  await delay(withinMs, undefined, { signal });
  const { label } = alertSourceKinds[kind];
  throw new VendorFailure("too-slow", `${label} did not answer within ${withinMs / secondMs} seconds`);
}
