/** An investigation has a report by then, or ends as failed: nothing waits for it any longer. From when its thread is ready. */
export const investigationDeadlineMs = 10_000;

/** How the time of an investigation is divided. All in milliseconds from its start. */
export interface Deadlines {
  /** Text and code are read by then; otherwise the investigation starts over with less. */
  readonly readByMs: number;
  /** Collectors have answered by then, and the others are left out. */
  readonly collectedByMs: number;
  readonly endMs: number;
}

/** Several times what the slowest input takes, with time left to start over, to rank, and to write. */
export const deadlines: Deadlines = {
  readByMs: investigationDeadlineMs / 2,
  collectedByMs: investigationDeadlineMs - 2_000,
  endMs: investigationDeadlineMs,
};
