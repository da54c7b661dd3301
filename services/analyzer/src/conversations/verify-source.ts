import { setTimeout as delay } from "node:timers/promises";
import { secondMs } from "@whence/protocol";
import {
  type AlertSender,
  type ConversationVendors,
  type OutboundContext,
  type SenderInputs,
  VendorFailure,
} from "@whence/vendors";
import { isComplete } from "../triggers/source-inputs.ts";
import { conversationLimits } from "./conversation-limits.ts";

/**
 * Asks the vendor whether the credentials of a source work, once they are complete. Resolves with what the vendor says
 * about the bot; with nothing for a kind without conversations. Rejects with a {@link VendorFailure}, at the latest
 * after the time limit.
 */
export async function verifySource(
  { vendors, outbound }: { readonly vendors: ConversationVendors; readonly outbound: OutboundContext },
  sender: AlertSender,
  values: SenderInputs,
  withinMs: number = conversationLimits.verifiedWithinMs,
): Promise<SenderInputs> {
  const vendor = vendors[sender.kind];
  if (!vendor || !isComplete(sender, values)) return {};
  const done = new AbortController();
  try {
    return await Promise.race([vendor.verify(values, outbound), tooSlow(sender, withinMs, done.signal)]);
  } finally {
    done.abort();
  }
}

async function tooSlow({ label }: AlertSender, withinMs: number, signal: AbortSignal): Promise<never> {
  await delay(withinMs, undefined, { signal });
  throw new VendorFailure("too-slow", `${label} did not answer within ${withinMs / secondMs} seconds`);
}
