import { type BulkChange, type BulkResult, bulkResultSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Changes several incidents, each on its own. */
export function changeIncidents(change: BulkChange): Promise<BulkResult> {
  return request(bulkResultSchema, "/api/incidents/changes", { method: "POST", body: change });
}
