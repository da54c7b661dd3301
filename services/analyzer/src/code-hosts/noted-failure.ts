import type { IntegrationRepository } from "@whence/storage";
import { type CodeHostVendor, VendorFailure } from "@whence/vendors";
import type { PlaceFailed } from "../sources/source-provider.ts";

/** The context in which a code host may fail. */
export interface FailingHost {
  readonly integrations: Pick<IntegrationRepository, "noteOutcome">;
  readonly codeHost: CodeHostVendor;
  readonly clock: () => number;
  readonly failed: PlaceFailed;
}

/** A code host, and the context in which it may fail. */
export interface AskedHost extends FailingHost {
  readonly integrations: IntegrationRepository;
}

/**
 * Queries a code host. When it fails or takes too long, reports that, records it with the connection, and returns null.
 */
export async function orNoted<Answer>(
  { integrations, codeHost: { kind, vendor }, clock, failed }: FailingHost,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    const why = failureText(error, vendor);
    if (why === null) throw error;
    failed(vendor, why);
    await integrations.noteOutcome(kind, { failure: why, findings: 0, now: new Date(clock()) });
    return null;
  }
}

/** Returns why a code host failed, for people; null for other errors. */
export function failureText(error: unknown, vendor: string): string | null {
  if (error instanceof VendorFailure) return error.message;
  return error instanceof Error && error.name === "TimeoutError" ? `${vendor} did not answer in time` : null;
}
