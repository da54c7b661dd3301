import { limits } from "@whence/protocol";
import { z } from "zod";
import { optionalText } from "../text/fields.ts";

/** https://develop.sentry.dev/sdk/foundations/transport/event-payloads/stacktrace/ */
const frameSchema = z.object({
  abs_path: optionalText,
  filename: optionalText,
  // Sentry's clients write `?` for an anonymous function.
  function: optionalText.transform((name) => (name === "?" ? null : name)),
  module: optionalText,
  lineno: z.int().nullish(),
  colno: z.int().nullish(),
  context_line: optionalText,
});
type Frame = z.infer<typeof frameSchema>;

/** https://develop.sentry.dev/sdk/foundations/transport/event-payloads/exception/ */
export const sentryExceptionSchema = z.object({
  type: optionalText,
  value: optionalText,
  module: optionalText,
  stacktrace: z.object({ frames: z.array(frameSchema.nullable()).nullish() }).nullish(),
  mechanism: z.object({ source: optionalText }).nullish(),
});
type SentryException = z.infer<typeof sentryExceptionSchema>;

/**
 * Prints exceptions in a language's form. Sentry lists the root cause first, and each stack with the outermost call
 * first.
 */
type Print = (exceptions: readonly SentryException[]) => string;

const printers: Readonly<Record<string, Print>> = { python: printPython, java: printJava };

/**
 * Prints a stack trace as the platform's runtime does. When there are more than an event may have, the outermost errors
 * and their innermost calls are kept. Other platforms get the form of Node.js.
 */
export function printExceptions(exceptions: readonly SentryException[], platform: string | null | undefined): string {
  const print = printers[platform ?? ""] ?? printNode;
  return print(exceptions.slice(-limits.exceptionsMax));
}

/** The outermost error first, with its innermost call first, and its causes below. */
function printNode(exceptions: readonly SentryException[]): string {
  const printed = exceptions.toReversed().map((exception) => {
    const frames = framesOf(exception).toReversed();
    return [headOf(exception), ...frames.map((frame) => `    at ${nodeCall(frame)}`)].join("\n");
  });
  // Node.js puts a cause between braces, and indents it.
  return printed.reduceRight((causes, error) =>
    [`${error} {`, `  [cause]: ${causes.replaceAll("\n", "\n  ")}`, "}"].join("\n"),
  );
}

function nodeCall(frame: Frame): string {
  const place = [frame.abs_path || frame.filename || "<anonymous>", frame.lineno, frame.colno].filter(isPresent);
  return frame.function ? `${frame.function} (${place.join(":")})` : place.join(":");
}

/** The root cause first, with its innermost call last. https://docs.python.org/3/library/traceback.html */
function printPython(exceptions: readonly SentryException[]): string {
  return exceptions
    .flatMap((exception, index) => [
      ...(index === 0 ? [] : ["", joining(exceptions[index - 1]?.mechanism?.source), ""]),
      "Traceback (most recent call last):",
      ...framesOf(exception).flatMap(pythonCall),
      headOf(exception),
    ])
    .join("\n");
}

function pythonCall({ abs_path, filename, lineno, context_line, ...frame }: Frame): string[] {
  const call = `  File "${abs_path || filename || "<unknown>"}", line ${lineno ?? 1}, in ${frame.function || "<module>"}`;
  return context_line?.trim() ? [call, `    ${context_line.trim()}`] : [call];
}

function joining(source: string | null | undefined): string {
  return source === "__context__"
    ? "During handling of the above exception, another exception occurred:"
    : "The above exception was the direct cause of the following exception:";
}

/** The outermost error first, with its innermost call first. */
function printJava(exceptions: readonly SentryException[]): string {
  return exceptions
    .toReversed()
    .flatMap((exception, index) => [
      `${index === 0 ? "" : "Caused by: "}${exception.module ? `${exception.module}.` : ""}${headOf(exception)}`,
      ...framesOf(exception).toReversed().map(javaCall),
    ])
    .join("\n");
}

function javaCall({ module, filename, lineno, ...frame }: Frame): string {
  const place = [filename || "Unknown Source", lineno].filter(isPresent).join(":");
  return `\tat ${[module, frame.function || "<unknown>"].filter(isPresent).join(".")}(${place})`;
}

function headOf({ type, value }: SentryException): string {
  return [type || "Error", value].filter(Boolean).join(": ");
}

function framesOf({ stacktrace }: SentryException): Frame[] {
  return (stacktrace?.frames ?? []).filter((frame) => frame !== null).slice(-limits.framesMax);
}

function isPresent<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined && value !== "";
}
