import { CallableThread } from "./threads/callable-thread.ts";

/** V8 keeps what a thread has freed; these threads copy strings in and out and need little. */
const youngGenerationMb = 8;

/** Starts a thread that has a SQLite file; rejects with what opening the file threw. */
export async function openSqliteThread<Call, Result>(
  program: URL,
  data: unknown,
): Promise<CallableThread<Call, Result>> {
  const resourceLimits = { maxYoungGenerationSizeMb: youngGenerationMb };
  const thread = new CallableThread<Call, Result>({ program, data, resourceLimits });
  await thread.ready();
  return thread;
}
