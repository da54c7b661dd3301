/** Every number of the conversations that the bot takes part in, once, with its unit last. */
export const conversationLimits = {
  /** How often each process looks for what is to be said. What was just asked for here is taken at once. */
  lookIntervalMs: 2_000,
  /** Said by one process at once, and by all of them together for one organization. */
  postsMax: 16,
  perScopeMax: 4,
  /** What isn't settled by then was lost with its process. */
  holdMs: 60_000,
  /** Of one attempt: what it reads and says together. */
  attemptWithinMs: 45_000,
  /** Of what is good to have: the acknowledgment, and the state on what was asked. */
  courtesyWithinMs: 10_000,
  firstWaitMs: 5_000,
  waitGrowth: 2,
  waitMaxMs: 900_000,
  retryAfterMaxMs: 3_600_000,
  givenUpAfterMs: 86_400_000,
  /** Of reading a conversation that the bot isn't let into. */
  shutOutGivenUpAfterMs: 900_000,
  reasonLengthMax: 300,
  /** Of a question, in characters. */
  questionLengthMax: 4_000,
  authorLengthMax: 100,
  /** Stops of a source whose requests haven't arrived. */
  rememberedStopsMax: 100,
  /** Conversations of a source in which everyone who asked was refused. */
  rememberedRefusalsMax: 100,
  /** Conversations of a source that are listed. */
  listedMax: 50,
  /** How long the vendor may take to confirm what was entered. */
  verifiedWithinMs: 15_000,
} as const;
