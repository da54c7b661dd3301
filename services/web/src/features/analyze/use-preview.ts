import { skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { useEffect, useState } from "react";
import { previewAnalysis } from "./api/preview-analysis.ts";
import { type Draft, textProblem } from "./draft.ts";
import { previewedFiles } from "./previewed-files.ts";

/** Long enough that typing does not ask at each key. */
const settleMs = 400;

interface Asked {
  readonly body: AnalysisPreviewRequest;
  /** Names the question: a key of a megabyte would be read at each look. */
  readonly at: number;
}

/** What the draft would be read as, a moment after it last changed. */
export function usePreview({ text, files }: Draft): UseQueryResult<AnalysisPreview> {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    const canAsk = text.trim() !== "" && textProblem(text) === null;
    if (!canAsk) return setAsked(null);
    const ask = (): void =>
      setAsked({ body: { error_log: text, files: previewedFiles(files) }, at: performance.now() });
    const timer = setTimeout(ask, settleMs);
    return () => clearTimeout(timer);
  }, [text, files]);
  return useQuery<AnalysisPreview>({
    queryKey: ["analyze", "preview", asked?.at ?? null],
    queryFn: asked ? ({ signal }) => previewAnalysis(asked.body, signal) : skipToken,
    // What was read before stays until the next is there, unless there is nothing to read.
    placeholderData: (before) => (asked ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
