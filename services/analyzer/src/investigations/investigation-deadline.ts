import { limits } from "@whence/protocol";

/** How the time in a thread is divided. In milliseconds. */
export interface Deadlines {
  /** From the start: text and code are read by then; otherwise the investigation starts over with less. */
  readonly readByMs: number;
  /** From the start until evidence is there, and again from then to the report. */
  readonly endMs: number;
}

const { investigationDeadlineMs } = limits;

/** Several times what the slowest input takes, with time left to start over, rank, and write. */
export const deadlines: Deadlines = {
  readByMs: investigationDeadlineMs / 2,
  endMs: investigationDeadlineMs,
};

/** Collectors, which are asked at the same time, have answered within this time; otherwise their answers are left out. */
export const collectedWithinMs: number = investigationDeadlineMs - 2_000;
