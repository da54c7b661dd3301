import type { CaseFiles } from "./case-files.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { modelRunLimits } from "./limits.ts";
import { refusals, type ToolCalls } from "./tool-calls.ts";

/** How the tools of one run show what they return, and say that they were used. */
export interface ToolSurroundings {
  readonly files: CaseFiles;
  readonly calls: ToolCalls;
  /** Makes text from outside fit for a prompt: redacted, cut after that, fenced, and labeled. */
  readonly show: (label: string, text: string, cut?: (redacted: string) => string) => string;
  readonly onUse: (name: string, input: object, outcome: string) => Promise<void>;
}

/** Looks for what a tool was asked, and shows it within its bound. What fails is said in words that have no text of it. */
export async function lookUp(
  { show, onUse, calls }: ToolSurroundings,
  { name: called, input, nothing }: { readonly name: string; readonly input: object; readonly nothing: string },
  find: () => readonly string[] | Promise<readonly string[]>,
): Promise<string> {
  const refused = calls.refused(called);
  if (refused !== null) return refused;
  try {
    const lines = await find();
    await onUse(called, input, lines.length === 0 ? nothing : `${lines.length} lines`);
    if (lines.length === 0) return nothing;
    return show(called, lines.join("\n"), (text) => cutToBytes(text, modelRunLimits.resultBytes));
  } catch {
    return refusals.failed;
  }
}
