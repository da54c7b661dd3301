import type { StoredAlertSource } from "@whence/storage";
import { analyzerErrors } from "../../errors.ts";

const idShownMax = 60;

/** Returns the source that a route names. Throws when the organization has none with that id. */
export function knownSource(source: StoredAlertSource | null, id: string): StoredAlertSource {
  if (!source) throw analyzerErrors.create("WHENCE_ERR_ALERT_SOURCE_UNKNOWN", [id.slice(0, idShownMax)]);
  return source;
}
