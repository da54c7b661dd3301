import { tool } from "ai";
import type { CaseFiles } from "./case-files.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import type { ModelTask } from "./one-run.ts";
import { findingRules, preferencesText } from "./prompts.ts";
import { type Proposal, type Proposed, proposalSchema, proposedBy } from "./proposal.ts";
import type { ToolSurroundings } from "./tool-surroundings.ts";
import { readingTools, toolsOf } from "./tools.ts";

/** What a run knows of the engine's own conclusions: its report and its judgment of a place, or, blind, nothing. */
interface View {
  readonly isBlind: boolean;
}

/** Returns the task to find the root cause of a failure. */
export function findingTask(
  modelCase: ModelCase,
  files: CaseFiles,
  view: View,
): ModelTask<Proposal, readonly Proposed[]> {
  return {
    rules: findingRules(modelCase.route, view),
    opening: (show) => opening(modelCase, show, view),
    tools: (around) => ({
      ...(view.isBlind ? readingTools(modelCase, around) : toolsOf(modelCase, around)),
      propose: tool({
        description: "Ends the conversation with the findings, the most likely cause first.",
        inputSchema: proposalSchema,
      }),
    }),
    end: { name: "propose", schema: proposalSchema },
    read: (proposal, original) => files.withNames(proposedBy(proposal, original)),
    isEmpty: (proposed) => proposed.length === 0,
  };
}

/** The first message: the failure, the engine's conclusion, and a list of what can be read. */
function opening(
  { subject, report, preferences }: ModelCase,
  show: ToolSurroundings["show"],
  { isBlind }: View,
): string {
  const { candidates, root_cause_summary: summary, evidence } = report;
  const named = candidates.map(({ rank, statement, score }) => `${rank}. ${statement} (${Math.round(score * 100)}%)`);
  const error =
    subject.input.kind === "text" ? subject.input.errorLog : evidence.map(({ excerpt }) => excerpt).join("\n\n");
  return [
    show("the failure", error, (text) => text.slice(0, modelRunLimits.errorUnits)),
    ...(isBlind ? [] : [show("the engine's report", [summary, ...named].join("\n"))]),
    show("files that came with it", (subject.input.files ?? []).map(({ name }) => name).join("\n") || "none"),
    ...(preferences === "" ? [] : [preferencesText(show("preferences", preferences))]),
  ].join("\n\n");
}
