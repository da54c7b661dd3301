import type { ModelFailure } from "@whence/engine";
import { isStepCount, ToolLoopAgent, type ToolSet } from "ai";
import type { z } from "zod";
import { canary } from "../models/canary.ts";
import { fence, fenceRule, unfenced } from "../models/fence.ts";
import type { ConfiguredModel, ModelBudget, ModelTokens, SentPrompt } from "../models/models.ts";
import type { Redactor } from "../models/redaction/redact.ts";
import type { CaseFiles } from "./case-files.ts";
import { modelRunLimits } from "./limits.ts";
import { type ModelStep, stepOf } from "./model-step.ts";
import { failureOf, isUnused, RunFailed } from "./run-failure.ts";
import { refusals, ToolCalls } from "./tool-calls.ts";
import { type ToolSurroundings, type UsedTool, unanswered } from "./tool-surroundings.ts";
import { UsedTokens } from "./used-tokens.ts";

type Show = ToolSurroundings["show"];

/** What a model is asked for. */
export interface ModelTask<Ended, Result> {
  /** The rules of the task, before those of fences. */
  readonly rules: string;
  /** The first message, with what is from outside as it may be shown. */
  opening(show: Show): string;
  /** The read-only tools, and the one that ends the conversation with the result. */
  tools(around: ToolSurroundings): ToolSet;
  /** The name of that tool, and the schema of its input. */
  readonly end: { readonly name: string; readonly schema: z.ZodType<Ended> };
  /** Returns the result; `original` gives the text that a quote was taken from. */
  read(ended: Ended, original: (quote: string) => string): Promise<Result>;
  /** Whether a result has nothing in it that counts. */
  isEmpty(result: Result): boolean;
}

/** What one run needs. */
export interface RunOrder<Ended, Result> {
  readonly task: ModelTask<Ended, Result>;
  readonly files: CaseFiles;
  readonly configured: ConfiguredModel;
  readonly budget: ModelBudget;
  readonly redactor: Redactor;
  readonly onStep: (step: ModelStep) => Promise<void>;
  /** When the time of its budget began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: () => number;
}

/** The outcome of one run. */
export interface RunOutcome<Result> extends ModelTokens {
  /** Null when the run failed. */
  readonly result: Result | null;
  readonly failure: ModelFailure | null;
  readonly sent: readonly SentPrompt[];
}

/** Runs the loop once. Never rejects: a failure is an outcome. */
export async function runOnce<Ended, Result>(
  order: RunOrder<Ended, Result>,
  signal: AbortSignal,
): Promise<RunOutcome<Result>> {
  const used = new UsedTokens();
  const sent: SentPrompt[] = [];
  try {
    const result = await converse(order, signal, used, sent);
    return { ...used.total, result, failure: null, sent };
  } catch (error) {
    if (isUnused(error)) used.reject();
    return { ...used.total, result: null, failure: signal.aborted ? "too-slow" : failureOf(error), sent };
  }
}

async function converse<Ended, Result>(
  { task, files, configured, budget, redactor, onStep, startedAt, clock }: RunOrder<Ended, Result>,
  signal: AbortSignal,
  used: UsedTokens,
  sent: SentPrompt[],
): Promise<Result> {
  const mark = canary();
  // A secret that is cut isn't recognized anymore, so texts are redacted first.
  const show: Show = (label, text, cut = (whole) => whole) => fence(label, cut(redactor.redact(text)));
  const onUse = (used: UsedTool): Promise<void> => onStep(stepOf(used, redactor));
  const { name: endName, schema } = task.end;
  const calls = new ToolCalls();
  const tools = task.tools({ files, show, onUse, calls });
  // Nothing that follows can change the rules.
  const instructions = [task.rules, fenceRule, mark.sentence].join("\n\n");
  const { tokens: tokensMax, costUsd: costMax, withinMs } = budget;
  const isSpent = (share: number): boolean => {
    const { total } = used;
    const cost = configured.costUsd(total);
    const isTooDear = cost !== null && costMax !== null && cost >= costMax * share;
    return isTooDear || total.inputTokens + total.outputTokens >= tokensMax * share;
  };
  // What is left is for the result: at the end of its time, a run is stopped without one.
  const isLate = (): boolean => clock() - startedAt >= withinMs * modelRunLimits.exploringShare;
  let seen = 0;
  const agent = new ToolLoopAgent({
    model: configured.model,
    instructions,
    tools,
    maxRetries: 1,
    maxOutputTokens: modelRunLimits.answerTokens,
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
      return mustEnd ? { activeTools: [endName], toolChoice: { type: "tool", toolName: endName } } : {};
    },
    onStepEnd({ usage, text, toolCalls }) {
      const called = toolCalls.map(({ toolName, input }) => ({ toolName, input }));
      used.answer(usage, text.length + (called.length === 0 ? 0 : JSON.stringify(called).length));
    },
  });
  const result = await agent.stream({ prompt: task.opening(show), abortSignal: signal });
  let ended: unknown;
  let answer = "";
  let finish = "";
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new RunFailed("too-slow");
    if (part.type === "text-delta") answer += part.text;
    // A model that writes the mark obeys someone else.
    if (part.type === "tool-call" && mark.isIn(part.input)) throw new RunFailed("disclosed");
    if (part.type === "tool-call" && part.toolName === endName) ended = part.input;
    if (part.type === "tool-error" && part.toolName !== endName)
      await unanswered(refusals.invalid, { name: part.toolName, input: part.input }, { onUse, calls });
    if (part.type === "finish-step") finish = part.finishReason;
  }
  if (mark.isIn(answer)) throw new RunFailed("disclosed");
  const parsed = schema.safeParse(ended);
  if (parsed.success) return task.read(parsed.data, (quote) => redactor.restore(unfenced(quote)));
  if (isSpent(1)) throw new RunFailed("budget");
  if (finish === "length") throw new RunFailed("cut-off");
  throw new RunFailed(finish === "content-filter" ? "refused" : "unreadable");
}
