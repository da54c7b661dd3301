import { dayMs, hourMs, minuteMs } from "@whence/protocol";

/** Every limit of conversations with the bot, once, with its unit last. */
export const conversationLimits = {
  /** How often each process looks for due posts. New ones of the same process are handled at once. */
  lookIntervalMs: 2_000,
  /** Concurrent posts per process, and per organization across all processes. */
  postsMax: 16,
  perScopeMax: 4,
  /** A post that isn't settled by then was lost with its process. */
  holdMs: minuteMs,
  /** Time per attempt, for reading and posting. */
  attemptWithinMs: 45_000,
  /** Time for optional parts: the acknowledgment, and the state shown at the request. */
  courtesyWithinMs: 10_000,
  firstWaitMs: 5_000,
  waitGrowth: 2,
  waitMaxMs: 900_000,
  retryAfterMaxMs: hourMs,
  givenUpAfterMs: dayMs,
  /** When a conversation that the bot isn't let into is abandoned. */
  shutOutGivenUpAfterMs: 900_000,
  reasonLengthMax: 300,
  /** Attempts at one post that ask a language model; later ones answer without it. */
  modelAttemptsMax: 2,
  /** Characters of a question. */
  questionLengthMax: 4_000,
  authorLengthMax: 100,
  /** Remembered stops of a source whose requests haven't arrived. */
  rememberedStopsMax: 100,
  /** Remembered conversations of a source in which everyone who asked was refused. */
  rememberedRefusalsMax: 100,
  /** Conversations of a source in a list. */
  listedMax: 50,
  /** The vendor's time limit for confirming credentials. */
  verifiedWithinMs: 15_000,
} as const;
