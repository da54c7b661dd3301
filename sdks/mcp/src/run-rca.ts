import type { Agent } from "@whence/agent";
import { type Incident, investigationSteps, limits } from "@whence/protocol";
import { z } from "zod";
import { type RcaResult, rcaResult, type ShownAgent } from "./rca-result.ts";

/** The input of `run_rca` (specification, IDE tool). */
export const runRcaInputSchema = z.object({
  error: z
    .string()
    .min(1, "there is nothing to analyze: pass the error text")
    .describe("error message, stack trace, or incident description, exactly as printed; at most 1 MiB"),
  files: z
    .array(
      z.object({
        name: z.string().describe("path of the file, as in the stack trace"),
        content: z.string().describe("the whole file, unchanged, so that line numbers match; at most 1 MiB"),
      }),
    )
    .max(limits.filesMax, `at most ${limits.filesMax} files: send those nearest to the failure`)
    .optional()
    .describe(
      "source files for direct code analysis: those of the stack first, then the manifest that names the project (package.json, pyproject.toml, pom.xml), then what they import; at most 20",
    ),
});
export type RunRcaInput = z.infer<typeof runRcaInputSchema>;

/** A finished step, for showing progress. */
export interface RcaProgress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

export interface RunRcaOptions {
  /** How long to wait for the report; clients time a tool out after a minute. 0 doesn't wait. */
  readonly waitMs: number;
  readonly onProgress: (progress: RcaProgress) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The start, and each step of the investigation. */
const stepsTotal = 1 + investigationSteps.length;

/** Starts an analysis, waits at most `waitMs` for its report, and returns what is known by then. */
export async function runRca(input: RunRcaInput, agent: Agent, options: RunRcaOptions): Promise<RcaResult> {
  const { signal, onProgress } = options;
  const request = { error_log: input.error, ...(input.files ? { files: input.files } : {}) };
  const started = await agent.analyze(request, signal);
  await onProgress({ done: 1, total: stepsTotal, message: `analysis started: ${started.url}` });
  const incident = options.waitMs > 0 ? await endedIncident(agent, started.incident_id, options) : null;
  return rcaResult(started, incident, await shownAgent(agent, signal));
}

/** Returns the incident if it ended in time. Errors are ignored: the analysis was started, and its URL is valid. */
async function endedIncident(
  agent: Agent,
  id: string,
  { waitMs, onProgress, signal }: RunRcaOptions,
): Promise<Incident | null> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  let done = 1;
  try {
    for await (const message of agent.follow(id, enough)) {
      if (message.kind === "incident") return message.incident;
      done += 1;
      // An investigation that starts over has more steps, but progress must not exceed the total.
      if (done > stepsTotal) continue;
      await onProgress({ done, total: stepsTotal, message: `${message.step.step}: ${message.step.detail}` });
    }
    return null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Returns null with an existing key. When the agent's status can't be queried, returns the agent as registered. */
async function shownAgent(agent: Agent, signal: AbortSignal): Promise<ShownAgent | null> {
  const entry = await agent.entry();
  if (!entry) return null;
  const status = await agent.status(signal).catch(() => null);
  signal.throwIfAborted();
  return {
    status: status?.status ?? "unclaimed",
    claimUrl: entry.claim_url,
    expiresAt: status ? status.expires_at : entry.expires_at,
  };
}
