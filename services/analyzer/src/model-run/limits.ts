/** The bounds of a model run, beside the budget of its organization. */
export const modelRunLimits = {
  /** Independent runs of one investigation, which share its budget. */
  runs: 2,
  /** Requests to the model in one run; the last one may only propose. */
  steps: 16,
  /** Calls of tools in one run. */
  toolCalls: 40,
  /** Of them, places that the engine is asked about; each one is an investigation. */
  tests: 6,
  /** Of them, questions to telemetry; what is quoted of the answers is kept with the report. */
  queries: 12,
  /** Tokens of one answer. */
  answerTokens: 4_096,
  /** The part of a run's tokens, cost, and time after which it has to propose. */
  exploringShare: 0.8,
  /** UTF-8 bytes of one tool's result. */
  resultBytes: 12_000,
  /** Lines of a file that one call returns. */
  fileLines: 200,
  /** UTF-8 bytes of a file that is read. */
  fileBytes: 1_048_576,
  /** Lines that one search returns. */
  searchLines: 40,
  /** Paths that one list returns. */
  paths: 200,
  /** Files besides those of the input that a model may quote. */
  filesOpened: 24,
  /** UTF-16 units of the error in the first message. */
  errorUnits: 24_000,
  /** UTF-16 units of a step's detail. */
  stepUnits: 300,
  /** UTF-8 bytes of a tool's result that a step keeps. */
  stepResultBytes: 4_000,
  /** Calls of one run that were refused or failed and are steps; a model may make any number of them. */
  refusedSteps: 10,
  /** How long a person waits for a model's answer to a question. */
  questionWithinMs: 30_000,
  /** Questions that a process asks models at once. */
  questionsAtOnce: 4,
  /** Rows that one question to telemetry returns. */
  rows: 40,
  /** UTF-8 bytes of these rows. */
  queriedBytes: 8_000,
} as const;
