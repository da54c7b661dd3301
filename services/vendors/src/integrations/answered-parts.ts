import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "./integration.ts";

/**
 * Returns the results of several requests to one vendor, in their order. A failed one doesn't hold back the others: a
 * key may read logs but not monitors. Failures are reported to `about.missed`. Rejects with the first failure when
 * every request failed.
 */
export async function answeredParts(
  parts: readonly Promise<readonly OutsideFinding[]>[],
  { missed }: Pick<FailureQuestion, "missed">,
): Promise<readonly (readonly OutsideFinding[])[]> {
  const settled = await Promise.allSettled(parts);
  const [first] = settled;
  if (first?.status === "rejected" && settled.every(({ status }) => status === "rejected")) throw first.reason;
  return settled.map((part) => {
    if (part.status === "fulfilled") return part.value;
    missed?.(part.reason);
    return [];
  });
}
