import { limits } from "@whence/protocol";

/**
 * What a thread may spend on an investigation, in milliseconds of processor time: a busy machine, or a wait for evidence,
 * makes an investigation slow and not wrong.
 */
export interface ProcessorTime {
  /** Text and code are read by then; otherwise the investigation starts over with less. */
  readonly readingMs: number;
  readonly reportMs: number;
}

const { investigationProcessorMs } = limits;

/** Several times what the largest input takes, with time left to rank and to write. */
export const processorTime: ProcessorTime = {
  readingMs: investigationProcessorMs / 2,
  reportMs: investigationProcessorMs,
};

/** Collectors, which are asked at the same time, have answered within this time; otherwise their answers are left out. */
export const collectedWithinMs = 8_000;

/** From the start, with the wait for a thread. An investigation that takes longer is retried. */
export const endedWithinMs = 60_000;
