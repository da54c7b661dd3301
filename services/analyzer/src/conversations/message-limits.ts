/** Every limit of messages in conversations, once, with its unit last. Lengths are in characters. */
export const messageLimits = {
  headlineLengthMax: 300,
  paragraphLengthMax: 1_000,
  stepLengthMax: 400,
  factLengthMax: 200,
  quoteLengthMax: 1_200,
  /** Items of a list; a causal chain keeps its origin and its symptom. */
  stepsMax: 8,
  quotesMax: 3,
  /** The number of further candidates that are named, and their minimum probability. */
  runnersUpMax: 3,
  /** Other failures that a conversation may be about, of those that are linked. */
  otherFailuresMax: 5,
  runnerUpScoreMin: 0.1,
} as const;
