import { isDeepStrictEqual } from "node:util";
import type { Frame } from "@whence/protocol";
import type { RecentIncident, ScopedEvents, Span, StoredEvent } from "@whence/storage";
import type { FailureGroup } from "../decide/failure-group.ts";
import type { Relation } from "../decide/relation.ts";

/** Incidents of the same service whose error says the very same: that it is thrown at one place can be asked of them. */
export function saysTheSame({ worst }: Pick<FailureGroup, "worst">, { service, title }: RecentIncident): boolean {
  return service === worst.service && title === worst.title;
}

/**
 * Whether the failure is the same error, thrown at the same place of the same service as an incident's, and only reached
 * on another way: two routes that read one broken file are two failures by their stacks, and one problem.
 */
export async function samePlaceRelation(
  events: ScopedEvents,
  { worst }: FailureGroup,
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  const alike = incidents.find((incident) => saysTheSame({ worst }, incident));
  if (!alike) return null;
  const { service, fingerprint: anchor, id: incidentId } = alike;
  const newest = async (fingerprint: string): Promise<StoredEvent | undefined> =>
    (await events.find({ ...span, service, fingerprint, limit: 1 }))[0];
  const [own, theirs] = [await newest(worst.fingerprint), await newest(anchor)];
  const place = own ? placeOfThrow(own) : null;
  if (place === null || !theirs || !isDeepStrictEqual(placeOfThrow(theirs), place)) return null;
  const reason = `it is the same error, thrown at the same place (${place.file}:${place.line}) and reached on another way`;
  return { incidentId, anchor, rule: "same-place", reason, isRoot: false };
}

/**
 * The innermost own code that the innermost error was thrown in; null without any. The line alone is no place: a bundle
 * may have only one.
 */
function placeOfThrow({ event }: StoredEvent): Pick<Frame, "file" | "line" | "column" | "function"> | null {
  const frames = event.exceptions?.at(-1)?.frames ?? [];
  const frame = frames.find(({ in_app: own, file, line }) => own === true && file !== undefined && line !== undefined);
  return frame ? { file: frame.file, line: frame.line, column: frame.column, function: frame.function } : null;
}
