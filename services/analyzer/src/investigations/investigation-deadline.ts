import { limits, minuteMs } from "@whence/protocol";

/**
 * A thread's budget for one investigation, in milliseconds of processor time: a busy machine or a wait for evidence
 * makes an investigation slow, not wrong.
 */
export interface ProcessorTime {
  /** Budget for reading text and code; beyond it, the investigation starts over with less input. */
  readonly readingMs: number;
  readonly reportMs: number;
}

const { investigationProcessorMs } = limits;

/** Several times what the largest input takes, with time left for ranking and writing. */
export const processorTime: ProcessorTime = {
  readingMs: investigationProcessorMs / 2,
  reportMs: investigationProcessorMs,
};

/** Time limit for collectors, which run in parallel; later answers are left out. */
export const collectedWithinMs = 8_000;

/** Time limit of an investigation from its start, including the wait for a thread. A longer one is retried. */
export const endedWithinMs = minuteMs;
