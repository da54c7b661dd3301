import type { ModelFailure } from "@whence/engine";
import { isStepCount, ToolLoopAgent } from "ai";
import { canary } from "../models/canary.ts";
import { fence, unfenced } from "../models/fence.ts";
import type { ConfiguredModel, ModelTokens, SentPrompt } from "../models/models.ts";
import type { Redactor } from "../models/redaction/redact.ts";
import type { CaseFiles } from "./case-files.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import { preferencesText, systemPrompt } from "./prompts.ts";
import { type Proposed, proposalSchema, proposedBy } from "./proposal.ts";
import { failureOf, isUnused, RunFailed } from "./run-failure.ts";
import { ToolCalls } from "./tool-calls.ts";
import { type ToolSurroundings, toolsOf } from "./tools.ts";
import { UsedTokens } from "./used-tokens.ts";

type Show = ToolSurroundings["show"];

/** What one run needs. */
export interface RunOrder {
  readonly modelCase: ModelCase;
  readonly files: CaseFiles;
  readonly configured: ConfiguredModel;
  /** Input and output tokens of this run. */
  readonly tokensMax: number;
  readonly redactor: Redactor;
  readonly onStep: (detail: string) => Promise<void>;
  /** When the time of its budget began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: () => number;
}

/** What one run came to. */
export interface RunOutcome extends ModelTokens {
  /** Null when the run failed. */
  readonly proposed: readonly Proposed[] | null;
  readonly failure: ModelFailure | null;
  readonly sent: readonly SentPrompt[];
}

/** Runs the loop once. Never rejects: a failure is an outcome. */
export async function runOnce(order: RunOrder, signal: AbortSignal): Promise<RunOutcome> {
  const used = new UsedTokens();
  const sent: SentPrompt[] = [];
  try {
    const proposed = await converse(order, signal, used, sent);
    return { ...used.total, proposed, failure: null, sent };
  } catch (error) {
    if (isUnused(error)) used.reject();
    return { ...used.total, proposed: null, failure: signal.aborted ? "too-slow" : failureOf(error), sent };
  }
}

async function converse(
  { modelCase, files, configured, tokensMax, redactor, onStep, startedAt, clock }: RunOrder,
  signal: AbortSignal,
  used: UsedTokens,
  sent: SentPrompt[],
): Promise<readonly Proposed[]> {
  const mark = canary();
  // A secret that is cut isn't recognized anymore, so texts are redacted first.
  const show: Show = (label, text, cut = (whole) => whole) => fence(label, cut(redactor.redact(text)));
  const onUse = (name: string, input: object, outcome: string): Promise<void> =>
    onStep(redactor.redact(`${name} ${JSON.stringify(input)}: ${outcome}`).slice(0, modelRunLimits.stepUnits));
  const tools = toolsOf({ modelCase, files, show, onUse, calls: new ToolCalls() });
  const instructions = systemPrompt(modelCase.route, mark.sentence);
  const { costUsd: costMax, withinMs } = configured.budget;
  const isSpent = (share: number): boolean => {
    const { total } = used;
    const cost = configured.costUsd(total);
    const isTooDear = cost !== null && costMax !== null && cost >= (costMax / modelRunLimits.runs) * share;
    return isTooDear || total.inputTokens + total.outputTokens >= tokensMax * share;
  };
  // What is left is for the proposal: at the end of its time, a run is stopped without one.
  const isLate = (): boolean => clock() - startedAt >= withinMs * modelRunLimits.exploringShare;
  let seen = 0;
  const agent = new ToolLoopAgent({
    ...{ model: configured.model, instructions, tools, maxRetries: 1, maxOutputTokens: modelRunLimits.answerTokens },
    // Each may be an investigation, and its result may be long.
    toolCallConcurrency: 1,
    // Errors come with the request, which nothing may log; the stream reports them, too.
    onError: () => undefined,
    stopWhen: [isStepCount(modelRunLimits.steps), () => isSpent(1)],
    prepareStep({ stepNumber, messages }) {
      // The whole conversation goes with each request.
      used.ask(instructions.length + JSON.stringify(messages).length);
      const fresh = JSON.stringify(messages.slice(seen));
      sent.push({ sentAt: new Date(clock()), text: stepNumber === 0 ? `${instructions}\n\n${fresh}` : fresh });
      seen = messages.length;
      const mustEnd = stepNumber >= modelRunLimits.steps - 1 || isLate() || isSpent(modelRunLimits.exploringShare);
      return mustEnd ? { activeTools: ["propose"], toolChoice: { type: "tool", toolName: "propose" } } : {};
    },
    onStepEnd({ usage, text, toolCalls }) {
      const called = toolCalls.map(({ toolName, input }) => ({ toolName, input }));
      used.answer(usage, text.length + (called.length === 0 ? 0 : JSON.stringify(called).length));
    },
  });
  const result = await agent.stream({ prompt: opening(modelCase, show), abortSignal: signal });
  let proposal: unknown;
  let answer = "";
  let finish = "";
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new RunFailed("too-slow");
    if (part.type === "text-delta") answer += part.text;
    // A model that writes the mark obeys someone else.
    if (part.type === "tool-call" && mark.isIn(part.input)) throw new RunFailed("disclosed");
    if (part.type === "tool-call" && part.toolName === "propose") proposal = part.input;
    if (part.type === "finish-step") finish = part.finishReason;
  }
  if (mark.isIn(answer)) throw new RunFailed("disclosed");
  const parsed = proposalSchema.safeParse(proposal);
  if (parsed.success) return files.withNames(proposedBy(parsed.data, (quote) => redactor.restore(unfenced(quote))));
  if (isSpent(1)) throw new RunFailed("budget");
  if (finish === "length") throw new RunFailed("cut-off");
  throw new RunFailed(finish === "content-filter" ? "refused" : "unreadable");
}

/** The first message: the failure, what the engine says, and what there is to read. */
function opening({ subject, report, preferences }: ModelCase, show: Show): string {
  const { candidates, root_cause_summary: summary, evidence } = report;
  const named = candidates.map(({ rank, statement, score }) => `${rank}. ${statement} (${Math.round(score * 100)}%)`);
  const error =
    subject.input.kind === "text" ? subject.input.errorLog : evidence.map(({ excerpt }) => excerpt).join("\n\n");
  return [
    show("the failure", error, (text) => text.slice(0, modelRunLimits.errorUnits)),
    show("the engine's report", [summary, ...named].join("\n")),
    show("files that came with it", (subject.input.files ?? []).map(({ name }) => name).join("\n") || "none"),
    ...(preferences === "" ? [] : [preferencesText(show("preferences", preferences))]),
  ].join("\n\n");
}
