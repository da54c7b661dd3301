import type { Stretch } from "../stretch.ts";
import { errorAboveCalls, type RubyError } from "./ruby-header.ts";

/** The name and message of an error, and the line that says so. */
export interface LabeledError {
  readonly type: string;
  readonly message: string;
  readonly line: number;
}

/** `**TypeError** in **orders#show**`, with the message below. */
const bold = /^\*\*([A-Za-z_][\w.:$\\]{0,200})\*\* in \*\*.{1,300}\*\*$/;
/** `**Error type:** \`NoMethodError\``, `Exception: celery.exceptions:Retry`. */
const typeField =
  /^\W{0,6}(?:Error [Tt]ype|Error [Cc]lass|Exception(?: [Tt]ype| [Cc]lass)?)\W{0,4}:\W{0,8}((?:[A-Za-z_]\w{0,60}(?:\.|::?|\\)){0,12}[A-Z][\w$]{1,120})\W{0,6}$/;
const messageField = /^\W{0,6}(?:Error|Exception) message\W{0,4}:[*_]{0,2}\s{0,4}(.{0,2000})$/i;
/** The module of Python's own errors. */
const builtIn = /^builtins[.:]/;
/** What an error tracker has between the error and its calls. */
const linesBetweenMax = 24;

/**
 * Returns the error that an error tracker names above its calls: in fields, in bold, or, where `isLoose`, as a runtime
 * would.
 */
export function labeledAbove(stretch: Stretch, from: number, isLoose = false): LabeledError | null {
  let message: string | null = null;
  let loose: LabeledError | null = null;
  for (let line = from - 1; line >= Math.max(from - linesBetweenMax, 0); line--) {
    const text = withoutHeading(stretch.text(line).trim());
    if (!stretch.isFree(line)) break;
    message ??= messageOf(stretch, line, text);
    const type = typeField.exec(text)?.[1];
    if (type !== undefined) return { type: classOf(type), message: message ?? messageAbove(stretch, line) ?? "", line };
    const titled = bold.exec(text)?.[1];
    if (titled !== undefined) return { type: titled, message: stretch.text(line + 1).trim(), line };
    const isNamed: boolean = loose === null && isLoose && text.includes(": ");
    const named: RubyError | null = isNamed ? errorAboveCalls(text, line === from - 1) : null;
    if (named) loose = { type: named.type, message: named.message, line };
  }
  return loose;
}

/** `# TypeError: x #` is a heading in Markdown. */
function withoutHeading(text: string): string {
  return /^#{1,6} (.{1,2000}?)(?: #{1,6})?$/.exec(text)?.[1] ?? text;
}

/** Returns the value of a message's field, which may be on the next line. */
function messageOf(stretch: Stretch, line: number, text: string): string | null {
  const said = messageField.exec(text)?.[1];
  if (said === undefined) return null;
  return withoutMarks(said === "" ? stretch.text(line + 1) : said);
}

function messageAbove(stretch: Stretch, from: number): string | null {
  for (let line = from - 1; line >= Math.max(from - 3, 0); line--) {
    const message = messageOf(stretch, line, stretch.text(line).trim());
    if (message !== null) return message;
  }
  return null;
}

function withoutMarks(text: string): string {
  return /^\s*`{1,2} ?(.*?) ?`{1,2}\s*$/.exec(text)?.[1] ?? text.trim();
}

/** `KeyError` of `builtins:KeyError`, `celery.exceptions.Retry` of `celery.exceptions:Retry`. */
function classOf(type: string): string {
  return type.replace(builtIn, "").replace(/(?<!:):(?!:)/, ".");
}
