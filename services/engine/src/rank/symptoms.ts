import type { Category } from "@whence/protocol";
import type { Clue, Findings } from "../findings.ts";
import { categoryOf, isUnhandledRejection } from "./category.ts";

/** The error, its code or the log around it says so. */
export function says(pattern: RegExp): (findings: Findings) => boolean {
  return ({ error }) =>
    pattern.test(error.headline) ||
    error.exceptions.some(({ type, message, properties }) =>
      pattern.test(`${type} ${String(properties.code ?? "")} ${message}`),
    ) ||
    error.sources.some(({ text }) => pattern.test(text.slice(0, textUnitsMax)));
}

/** As much of a log as is looked at for a symptom. */
const textUnitsMax = 20_000;

/** The error as a whole is of one of these kinds. */
export function of(...categories: readonly Category[]): (findings: Findings) => boolean {
  return (findings) => categories.includes(categoryOf(findings));
}

/** Nothing was where something was to be, in the words of JavaScript. */
export function isNothing(findings: Findings): boolean {
  return says(/of (?:undefined|null)\b|undefined or null|is not iterable/)(findings);
}

/** The error shows characters that could not be decoded. */
export function isReplaced(findings: Findings): boolean {
  return says(/\ufffd/)(findings);
}

/** It was the object itself of which something was read. */
export function isThisMissing({ clues }: Findings): boolean {
  return clues.some(({ kind, says: text }) => kind === "nullish-operand" && /^`this(?:\.[\w$]+)?` was/.test(text));
}

/** The function of that name is on the stack. */
export function isNameOnStack({ frames }: Findings, { subject }: Clue): boolean {
  return frames.some(({ place, frame }) => place?.function === subject || frame.function?.endsWith(subject) === true);
}

/** A value was missing, in the words of any language. */
export function isMissing(findings: Findings): boolean {
  return (
    isNothing(findings) ||
    says(/NoneType|NullPointer|nil pointer|for nil\b|null string|nil:NilClass|nil can't be coerced|nil map/)(findings)
  );
}

/** The code at the place is what the condition of the complaint asks, or where a value of it comes by. */
export function isRead(findings: Findings, clue: Clue): boolean {
  return isOnTrail(findings, clue) || isOnStack(findings, clue);
}

/** The value came by this line, or the next. */
export function isNearTrail({ clues }: Findings, { place }: Clue): boolean {
  return clues.some(
    (clue) => clue.how !== null && clue.place.file === place.file && Math.abs(clue.place.line - place.line) <= 1,
  );
}

/** The error ended the process. */
export function isFatal({ error }: Findings): boolean {
  return error.chain.some((index) => error.exceptions[index]?.fatal);
}

/** Thrown by somebody's code, not by the runtime. */
export function isOrdinaryError(findings: Findings): boolean {
  const head = findings.error.exceptions[findings.error.chain[0] ?? -1];
  return (
    head !== undefined &&
    (head.type === "Error" || isUnhandledRejection(findings)) &&
    head.properties.code === undefined
  );
}

/** The code itself says that something does not add up, and nothing else is known about it. */
export function isOwnComplaint(findings: Findings): boolean {
  return (
    of("unknown", "data-validation")(findings) &&
    findings.clues.some(({ kind, place }) => kind === "thrown-by-code" && !isInstalled(place.file))
  );
}

/** The file is on the stack. */
export function isOnStack({ frames }: Findings, { place }: Clue): boolean {
  return frames.some(({ file }) => file === place.file);
}

/** The function is on the stack. */
export function isInFrame({ frames }: Findings, { place }: Clue): boolean {
  return frames.some((frame) => frame.file === place.file && frame.place?.function === place.function);
}

/** The value that was missed, or one on its way, is what the code looks at. */
export function isSpoken({ clues }: Findings, { subject, place }: Clue): boolean {
  return clues.some(
    (clue) =>
      (clue.how !== null || clue.kind === "nullish-operand") &&
      clue.place.file === place.file &&
      clue.place.function === place.function &&
      clue.says.includes(subject),
  );
}

/** The value came through the function. */
export function isOnTrail({ clues }: Findings, { place }: Clue): boolean {
  return clues.some(
    (clue) => clue.how !== null && clue.place.file === place.file && clue.place.function === place.function,
  );
}

/** The relative path is the one that the error complains of. */
export function isPathOf({ error }: Findings, { subject }: Clue): boolean {
  const plain = subject.replace(/^\.\//, "");
  return error.exceptions.some(({ properties, message }) => {
    const path = String(properties.path ?? /'([^']+)'/.exec(message)?.[1] ?? "");
    return path !== "" && !path.startsWith("/") && path.includes(plain);
  });
}

/** The answer could not be read, or has not the shape that the code reads, and the function on the stack asked for it. */
export function isAboutAnswer(findings: Findings, clue: Clue): boolean {
  const isShape = of("null-dereference", "type-mismatch", "schema-drift")(findings);
  if (isShape) return isOnTrail(findings, clue);
  return of("parse-error", "upstream-bad-response")(findings) && isInFrame(findings, clue);
}

function isInstalled(file: string): boolean {
  return `/${file}`.includes("/node_modules/");
}
