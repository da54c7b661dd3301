import type { Findings } from "../findings/findings.ts";
import { isUnhandledRejection } from "../findings/unhandled-rejection.ts";
import type { Link } from "./link.ts";

/**
 * Returns whether a link is a promise that is forgotten beside the failing calls: it explains only a rejection that
 * nothing handled.
 */
export function isForgottenElsewhere(link: Link, { error, event, frames }: Findings): boolean {
  if (link.kind !== "code" || link.args.signal.kind !== "missing-await") return false;
  const { signal } = link.args;
  if (signal.args.how !== "forgotten" || signal.towards !== null) return false;
  const { file, function: name } = signal.subject;
  const isOnStack = frames.some(({ place }) => place?.file === file && place.function === name);
  return !isOnStack && !isUnhandledRejection(error, event);
}
