import { isDeepStrictEqual } from "node:util";
import type { Frame } from "@whence/protocol";
import type { RecentIncident, ScopedEvents, Span, StoredEvent } from "@whence/storage";
import type { FailureGroup } from "../decide/failure-group.ts";
import type { Relation } from "../decide/relation.ts";

/** Whether the incident's error has the same service and message, so that the places they were thrown at can be compared. */
export function hasSameMessage({ worst }: Pick<FailureGroup, "worst">, { service, title }: RecentIncident): boolean {
  return service === worst.service && title === worst.title;
}

/**
 * Whether the failure is the same error as an incident's, thrown at the same place of the same service, and only reached
 * another way. Two routes that read one broken file are two failures by their stacks, but one problem.
 */
export async function samePlaceRelation(
  events: ScopedEvents,
  { worst }: FailureGroup,
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  const alike = incidents.find((incident) => hasSameMessage({ worst }, incident));
  if (!alike) return null;
  const { service, fingerprint: anchor, id: incidentId } = alike;
  const newest = async (fingerprint: string): Promise<StoredEvent | undefined> =>
    (await events.find({ ...span, service, fingerprint, limit: 1 }))[0];
  const [own, theirs] = [await newest(worst.fingerprint), await newest(anchor)];
  const place = own ? placeOfThrow(own) : null;
  if (place === null || !theirs || !isDeepStrictEqual(placeOfThrow(theirs), place)) return null;
  const reason = `it is the same error, thrown at the same place (${place.file}:${place.line}) but reached another way`;
  return { incidentId, anchor, rule: "same-place", reason, isRoot: false };
}

/**
 * The innermost frame of the service's own code in the innermost error; null without one. Column and function count too,
 * because a bundle may be a single line.
 */
function placeOfThrow({ event }: StoredEvent): Pick<Frame, "file" | "line" | "column" | "function"> | null {
  const frames = event.exceptions?.at(-1)?.frames ?? [];
  const frame = frames.find(({ in_app: own, file, line }) => own === true && file !== undefined && line !== undefined);
  return frame ? { file: frame.file, line: frame.line, column: frame.column, function: frame.function } : null;
}
