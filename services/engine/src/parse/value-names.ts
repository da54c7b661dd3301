/** Names of fields that hold an error. */
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

/** Names under which a line says what happened, or what a program printed. */
const narrating =
  /^(?:errors?|exceptions?|errmsg|error_?message|trace|backtrace|caused_?by|msg|message|event|log|output|std(?:out|err)|details?|description)$/i;
/** What a client sent: its text isn't the program's own, whatever it says. */
const sent =
  /^(?:req|request|body|query|params|parameters|headers|cookies?|form|payload|input|url|uri|path|search|user_?agent|referr?er|comment|feedback)$/i;

/** Whether a field of that name describes the program's own failure. */
export function describesFailure(name: string): boolean {
  return errorNames.has(name) || narrating.test(name);
}

/** Whether a field of that name holds what a client sent. */
export function isSentByClient(name: string): boolean {
  return sent.test(name.replaceAll("-", "_"));
}
