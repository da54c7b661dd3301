import { useQuery, useQueryClient } from "@tanstack/react-query";
import { limits, utf8Length } from "@whence/protocol";
import { sizeName } from "../../lib/size-name.ts";
import type { AttachedFile } from "./attached-files.ts";

/** The text and files to send. */
export interface Draft {
  readonly text: string;
  readonly files: readonly AttachedFile[];
}

export const emptyDraft: Draft = { text: "", files: [] };

const queryKey = ["analyze", "draft"];

/** The draft, kept across pages until the person signs out or switches organizations. */
export function useDraft(): readonly [Draft, (change: (draft: Draft) => Draft) => void] {
  const queryClient = useQueryClient();
  const { data } = useQuery<Draft>({
    queryKey,
    queryFn: () => emptyDraft,
    initialData: emptyDraft,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    structuralSharing: false,
  });
  return [data, (change) => queryClient.setQueryData<Draft>(queryKey, (draft = emptyDraft) => change(draft))];
}

/** Returns why the text can't be sent as it is, or null. */
export function textProblem(text: string): string | null {
  if (text.length <= limits.errorLogBytesMax / 3) return null;
  const bytes = utf8Length(text);
  if (bytes <= limits.errorLogBytesMax) return null;
  const { errorLogBytesMax: max } = limits;
  return `The text is ${sizeName(bytes)}; the limit is ${sizeName(max)}. Remove the lines furthest from the error.`;
}
