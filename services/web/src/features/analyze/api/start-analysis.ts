import { type AnalyzeRequest, analyzeResponseSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Opens an incident for the text, and returns its ID. */
export async function startAnalysis(body: AnalyzeRequest): Promise<string> {
  const { incident_id: id } = await request(analyzeResponseSchema, "/api/analyze", { method: "POST", body });
  return id;
}
