import { type IncidentSort, type Sortable, sortValue, timestampSchema, violation } from "@whence/protocol";
import type { IncidentPosition } from "@whence/storage";

/** Between what an order compares and the id. */
const separator = "/";

/** What the count of an incident's events holds. */
const eventsMax = 2 ** 31 - 1;

/**
 * The cursor of the page after an incident: its ID, preceded by the value that the list is sorted by, if that isn't the
 * ID.
 */
export function incidentCursor(last: Sortable, sort: IncidentSort): string {
  const value = sortValue(last, sort);
  return value === "" ? last.id : `${value}${separator}${last.id}`;
}

/** Returns the position that a cursor names. Throws 422 for a cursor of another order. */
export function readCursor(cursor: string, sort: IncidentSort): IncidentPosition {
  const at = cursor.lastIndexOf(separator);
  const [written, id] = [cursor.slice(0, Math.max(at, 0)), cursor.slice(at + 1)];
  const value = readValue(written, sort);
  if (value === null || id === "") {
    throw violation(["query", "before"], "value_error", "It must be the `next` of a page in the same order");
  }
  return { id, value };
}

function readValue(written: string, sort: IncidentSort): string | number | null {
  if (sort === "newest") return written === "" ? written : null;
  if (sort === "last-seen") return timestampSchema.safeParse(written).success ? written : null;
  if (!/^-?\d+(?:\.\d+)?(?:e-\d+)?$/.test(written)) return null;
  const value = Number(written);
  const isPossible =
    sort === "events" ? Number.isInteger(value) && value >= 0 && value <= eventsMax : value >= -1 && value <= 1;
  return isPossible ? value : null;
}
