import { fromJson } from "../runtime/json.ts";
import { readProperty } from "../runtime/read-property.ts";
import type { HttpResponse } from "./http.ts";

/** The service rejects this batch: sending it again would not help. */
export const badBatchStatuses = new Set([400, 415, 422]);
/** The key or the address is wrong: sending again helps only after a change of configuration. */
export const badAddressStatuses = new Set([401, 403, 404, 405, 410]);

/**
 * Whether the service accepted the batch. A proxy's page with status 200 doesn't count, nor does a truncated response.
 *
 * The dying process's thread gets this as text (see `dying-process-worker.ts`), so it uses nothing from around it.
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

/** The events of a taken batch that the service refused, by index. */
export function refusedIndexes(body: string): number[] {
  const refused = readProperty(fromJson(body), "rejected");
  if (!Array.isArray(refused)) return [];
  return refused.map((item: { index?: unknown } | null) => item?.index).filter((index) => typeof index === "number");
}
