/** Every number of the messages in conversations, once, with its unit last. Lengths are in characters. */
export const messageLimits = {
  headlineLengthMax: 300,
  paragraphLengthMax: 1_000,
  stepLengthMax: 400,
  factLengthMax: 200,
  quoteLengthMax: 1_200,
  /** Of a list; of a causal chain, its origin and its symptom stay. */
  stepsMax: 8,
  quotesMax: 3,
  /** Candidates that are named beside the first, and how likely each has to be. */
  runnersUpMax: 3,
  runnerUpScoreMin: 0.1,
} as const;
