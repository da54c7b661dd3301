import { skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { useEffect, useState } from "react";
import { previewAnalysis } from "./api/preview-analysis.ts";
import { type Draft, textProblem } from "./draft.ts";
import { previewedFiles } from "./previewed-files.ts";

/** The delay after the last keystroke before a request. */
const settleMs = 400;

interface Asked {
  readonly body: AnalysisPreviewRequest;
  /** Identifies the request, because a key of a megabyte would be compared on each render. */
  readonly at: number;
}

/** Returns the preview of the draft, a moment after it last changed. */
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
    // The previous preview stays until the next one is there, unless the text is empty.
    placeholderData: (before) => (asked ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // A text that took too long would take as long again; the page offers another try.
    retry: false,
  });
}
