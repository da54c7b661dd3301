import { fromJson } from "../runtime/json.ts";
import { readProperty } from "../runtime/read-property.ts";
import type { Answer } from "./http.ts";

/** The service says that this very batch is wrong: it would say so again. */
export const badBatch = new Set([400, 415, 422]);
/** It says so of the key, or of the address: sending again helps only once somebody has changed something. */
export const badAddress = new Set([401, 403, 404, 405, 410]);

/**
 * Whether the service took the batch. A page of some proxy with status 200 says nothing about that, nor does an answer
 * that was cut off.
 *
 * The dying process's thread gets this as text (see `dying-process-worker.ts`), so it uses nothing from around it.
 */
export function isReceipt({ status, body }: Pick<Answer, "status" | "body">): boolean {
  if (status < 200 || status >= 300) return false;
  if (body === "") return true;
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === "object" && said !== null && !Array.isArray(said);
  } catch {
    // Not the service's words.
    return false;
  }
}

/** The events of a taken batch that the service refused, by index. */
export function refusedIndexes(body: string): number[] {
  const refused = readProperty(fromJson(body), "rejected");
  if (!Array.isArray(refused)) return [];
  return refused.map((item: { index?: unknown } | null) => item?.index).filter((index) => typeof index === "number");
}
