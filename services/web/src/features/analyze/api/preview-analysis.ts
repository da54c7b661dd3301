import { type AnalysisPreview, type AnalysisPreviewRequest, analysisPreviewSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Returns what an analysis would start from; nothing is stored. */
export function previewAnalysis(body: AnalysisPreviewRequest, signal: AbortSignal): Promise<AnalysisPreview> {
  return request(analysisPreviewSchema, "/api/analyze/preview", { method: "POST", body, signal });
}
