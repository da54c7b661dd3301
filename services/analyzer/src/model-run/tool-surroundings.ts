import type { CaseFiles } from "./case-files.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { modelRunLimits } from "./limits.ts";
import { refusals, type ToolCalls } from "./tool-calls.ts";

/** A tool call of a step. */
export interface UsedTool {
  readonly name: string;
  readonly input: unknown;
  /** How much it found, or why it wasn't made. */
  readonly outcome: string;
  /** What it found; null for nothing. */
  readonly result: string | null;
}

/** How the tools of one run show what they return, and say that they were used. */
export interface ToolSurroundings {
  readonly files: CaseFiles;
  readonly calls: ToolCalls;
  /** Makes text from outside fit for a prompt: redacted, cut after that, fenced, and labeled. */
  readonly show: (label: string, text: string, cut?: (redacted: string) => string) => string;
  readonly onUse: (used: UsedTool) => Promise<void>;
}

/** Looks for what a tool was asked, and shows it within its bound. What fails is said in words that have no text of it. */
export async function lookUp(
  { show, onUse, calls }: ToolSurroundings,
  { name, input, nothing }: { readonly name: string; readonly input: object; readonly nothing: string },
  find: () => readonly string[] | Promise<readonly string[]>,
): Promise<string> {
  const refused = calls.refused(name);
  if (refused !== null) return unanswered(refused, { name, input }, { onUse, calls });
  try {
    const lines = await find();
    const text = lines.join("\n");
    const outcome = lines.length === 0 ? nothing : lines.length === 1 ? "1 line" : `${lines.length} lines`;
    await onUse({ name, input, outcome, result: lines.length === 0 ? null : text });
    if (lines.length === 0) return nothing;
    return show(name, text, (redacted) => cutToBytes(redacted, modelRunLimits.resultBytes));
  } catch {
    return unanswered(refusals.failed, { name, input }, { onUse, calls });
  }
}

/** Keeps a call that has no answer as a step, and returns why. */
export async function unanswered(
  why: string,
  call: Pick<UsedTool, "name" | "input">,
  { onUse, calls }: Pick<ToolSurroundings, "onUse" | "calls">,
): Promise<string> {
  if (calls.isRefusalKept()) await onUse({ ...call, outcome: why, result: null });
  return why;
}
