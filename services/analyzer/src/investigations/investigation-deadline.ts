import { limits } from "@whence/protocol";

/** How the time of an investigation is divided. All in milliseconds from its start. */
export interface Deadlines {
  /** Text and code are read by then; otherwise the investigation starts over with less. */
  readonly readByMs: number;
  /** Collectors have answered by then, and the others are left out. */
  readonly collectedByMs: number;
  readonly endMs: number;
}

const { investigationDeadlineMs } = limits;

/** Several times what the slowest input takes, with time left to start over, to rank, and to write. */
export const deadlines: Deadlines = {
  readByMs: investigationDeadlineMs / 2,
  collectedByMs: investigationDeadlineMs - 2_000,
  endMs: investigationDeadlineMs,
};
