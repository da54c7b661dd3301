/** The names of fields that hold an error. */
export const errorNames: ReadonlySet<string> = new Set([
  "err",
  "error",
  "exception",
  "Exception",
  "exc_info",
  "reason",
  "thrown",
  "throwable",
  "@x",
  "exc",
  "ex",
  "e",
  "cause",
  "failure",
  "panic",
  "stack",
  "stack_trace",
  "stacktrace",
  "traceback",
]);

/** The names of fields that hold what happened, or what a program printed. */
const narrating =
  /^(?:errors?|exceptions?|errmsg|error_?message|trace|backtrace|caused_?by|msg|message|event|log|output|std(?:out|err)|details?|description)$/i;
/** The names of fields that hold what a client sent, which isn't the program's own text. */
const sent =
  /^(?:req|request|body|query|params|parameters|headers|cookies?|form|payload|input|url|uri|path|search|user_?agent|referr?er|comment|feedback)$/i;

/** Returns whether a field of that name describes the program's own failure. */
export function describesFailure(name: string): boolean {
  return errorNames.has(name) || narrating.test(name);
}

/** Returns whether a field of that name holds what a client sent. */
export function isSentByClient(name: string): boolean {
  return sent.test(name.replaceAll("-", "_"));
}
