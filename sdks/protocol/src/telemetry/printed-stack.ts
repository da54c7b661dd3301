/** One call of a printed stack. */
export interface PrintedCall {
  readonly file: string;
  readonly name: string;
  /** Whether it is in the service's own code, where the client said so. */
  readonly isOwn?: boolean;
}

const linesConsidered = 200;

/** Matches `    at name (file:1:2)`, `    at file:1:2`, `    at Class.method(File.java:3)`. */
const atLine = /^\s*at (?:async )?(.{1,1000})$/;
const nodePlace = /^(?:(.{1,300}?) )?\(?((?:[a-z-]{2,20}:\/{0,3})?[^()]{1,800}?):\d{1,9}(?::\d{1,9})?\)?$/;
const javaCall =
  /^(?:[\w.-]{1,100}\/\/?|[\w.]{1,60}@[\w.-]{1,40}\/)?([\w.$/<>-]{1,300})\.([\w$<>-]{1,200})\((?:[^()]{0,200})\)$/;
const pythonLine = /^\s*File "([^"]{1,800})", line \d{1,9}(?:, in (.{1,200}))?$/;

/** Returns the calls of a stack as Node, Java, or Python print it, innermost first. */
export function printedCalls(stack: string): PrintedCall[] {
  const lines = stack.split("\n", linesConsidered);
  const python = lines.flatMap((line) => pythonCall(line));
  if (python.length > 0) return [...python].reverse();
  return lines.flatMap((line) => atCall(line));
}

function pythonCall(line: string): PrintedCall[] {
  const [, file, name = ""] = pythonLine.exec(line.trimEnd()) ?? [];
  return file === undefined ? [] : [{ file, name }];
}

function atCall(line: string): PrintedCall[] {
  const call = atLine.exec(line.trimEnd())?.[1];
  if (call === undefined) return [];
  const [, owner, method] = javaCall.exec(call) ?? [];
  if (owner !== undefined && method !== undefined) return [{ file: owner, name: `${shortOwner(owner)}.${method}` }];
  const [, name = "", file] = nodePlace.exec(call) ?? [];
  return file === undefined ? [] : [{ file, name }];
}

function shortOwner(owner: string): string {
  return owner.slice(owner.lastIndexOf(".") + 1);
}
