import { fromJson } from "../runtime/json.ts";
import { readProperty } from "../runtime/read-property.ts";
import type { HttpResponse } from "./http.ts";

/** The service rejects this batch: sending it again wouldn't help. */
export const badBatchStatuses = new Set([400, 415, 422]);
/** The key or the address is wrong: sending again helps only after a change of configuration. */
export const badAddressStatuses = new Set([401, 403, 404, 405, 410]);

/**
 * Whether the service accepted the batch. A proxy's page with status 200 doesn't count, nor does a truncated response.
 *
 * The dying process's thread gets this function as text (see `dying-process-worker.ts`), so it must be self-contained.
 */
export function isAccepted({ status, body }: Pick<HttpResponse, "status" | "body">): boolean {
  if (status < 200 || status >= 300) return false;
  if (body === "") return true;
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    // Not a response of the service.
    return false;
  }
}

/** Returns the indexes of the events that the service rejected in an accepted batch. */
export function refusedIndexes(body: string): number[] {
  const refused = readProperty(fromJson(body), "rejected");
  if (!Array.isArray(refused)) return [];
  return refused.map((item: { index?: unknown } | null) => item?.index).filter((index) => typeof index === "number");
}
