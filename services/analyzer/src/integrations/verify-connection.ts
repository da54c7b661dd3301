import { setTimeout as delay } from "node:timers/promises";
import { secondMs } from "@whence/protocol";
import { type Integration, type OutboundContext, VendorFailure, vendorLimits } from "@whence/vendors";
import { integrationLimits } from "./integration-limits.ts";
import { ownCredentials, withoutOwn } from "./own-credentials.ts";

/**
 * Verifies inputs at the vendor. Resolves with the name of the account they belong to. Rejects with a {@link
 * VendorFailure}, at the latest after the time limit.
 */
export async function verifyConnection(
  integration: Integration,
  inputs: Readonly<Record<string, string>>,
  context: OutboundContext,
  withinMs: number = vendorLimits.verifiedWithinMs,
): Promise<string> {
  const connection = integration.connect(inputs, context);
  const stop = new AbortController();
  try {
    const said = await Promise.race([
      connection.verify(stop.signal),
      tooSlow(integration.vendor, withinMs, stop.signal),
    ]);
    return withoutOwn(said, ownCredentials(integration.kind, inputs)).slice(0, integrationLimits.belongsToLengthMax);
  } finally {
    stop.abort();
    await connection.close();
  }
}

async function tooSlow(vendor: string, withinMs: number, signal: AbortSignal): Promise<never> {
  await delay(withinMs, undefined, { signal });
  throw new VendorFailure("too-slow", `${vendor} did not answer within ${withinMs / secondMs} seconds`);
}
