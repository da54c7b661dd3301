import type { FailureTotals } from "@whence/storage";
import { rateShape } from "./change-point.ts";
import { type FailureBegan, settingInMs } from "./judge-release.ts";
import { rateMinutes } from "./rate-minutes.ts";
import { type Failure, type SharedReads, windowOf } from "./shared-reads.ts";

/** Returns the minute from which a failure is clearly more frequent than before; null when it isn't, or is new then. */
export async function failureRose(
  failure: Failure,
  { activity }: Pick<SharedReads, "activity">,
  { firstSeen }: Pick<FailureTotals, "firstSeen">,
): Promise<FailureBegan | null> {
  const { minutes } = rateMinutes(await activity(), windowOf(failure), ({ failing }) => failing);
  const shape = rateShape(minutes);
  const isRise = shape.kind === "step" || shape.kind === "spike";
  return isRise && Date.parse(shape.at) - Date.parse(firstSeen) >= settingInMs
    ? { firstSeen: shape.at, began: "rose" }
    : null;
}
