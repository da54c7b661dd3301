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

const goName = /^([^\s()]{1,300}(?:\(\*?[\w.[\],]{1,200}\)[^\s()]{0,300})?)\(.{0,2000}\)$/;
const goPlace = /^\t(\S{1,800}\.(?:go|s)):\d{1,9}(?: \+0x[0-9a-f]{1,16})?$/;
const rustName = /^\s{0,8}\d{1,5}: (?:0x[0-9a-f]{1,16} - )?(\S.{0,1000})$/;
const rustPlace = /^\s{1,40}at (.{1,800}?):\d{1,9}(?::\d{1,9})?$/;
const rubyCall = /^(?:\s{0,8}from )?([^\s:][^:]{0,800}):\d{1,9}:in [`'](.{1,300}?)'(?:: .*)?$/;
const phpCall = /^#\d{1,5} (.{1,800}?)(?:\(\d{1,9}\))?: (.{1,300}?)\(/;
const phpSite = /^.{1,1000} in (.{1,800}):\d{1,9}$/;
const dotnetCall = /^\s{1,8}at (.{1,600}?)\([^()]{0,1000}\) in (.{1,800}):line \d{1,9}$/;

/** Ways to print a stack, the most particular first: each returns no calls for another language's. */
const printers: readonly ((lines: readonly string[]) => PrintedCall[])[] = [
  (lines) => lines.flatMap(pythonCall).reverse(),
  (lines) => placedCalls(lines, goName, goPlace),
  (lines) => placedCalls(lines, rustName, rustPlace),
  (lines) => lines.flatMap((line) => namedCall(rubyCall.exec(line))),
  phpCalls,
  (lines) => lines.flatMap(atCall),
];

/** Returns the calls of a stack as Node, Java, Python, Go, Rust, Ruby, PHP, or .NET print it, innermost first. */
export function printedCalls(stack: string): PrintedCall[] {
  const lines = stack.split("\n", linesConsidered).map((line) => line.trimEnd());
  for (const read of printers) {
    const calls = read(lines);
    if (calls.length > 0) return calls;
  }
  return [];
}

function pythonCall(line: string): PrintedCall[] {
  const [, file, name = ""] = pythonLine.exec(line) ?? [];
  return file === undefined ? [] : [{ file, name }];
}

/** Reads calls of two lines each: a name, and below it the place. */
function placedCalls(lines: readonly string[], ofName: RegExp, ofPlace: RegExp): PrintedCall[] {
  return lines.flatMap((line, index) => {
    const file = ofPlace.exec(line)?.[1];
    const name = ofName.exec(lines[index - 1] ?? "")?.[1];
    return file === undefined || name === undefined ? [] : [{ file, name }];
  });
}

function namedCall(matched: RegExpExecArray | null): PrintedCall[] {
  const [, file, name] = matched ?? [];
  return file === undefined || name === undefined ? [] : [{ file, name }];
}

/** PHP names the called function beside the place of its caller, and the innermost place in the first line. */
function phpCalls(lines: readonly string[]): PrintedCall[] {
  const called = lines.flatMap((line) => namedCall(phpCall.exec(line)));
  const site = lines.slice(0, lines.indexOf("Stack trace:")).map((line) => phpSite.exec(line)?.[1]);
  const files = [site.findLast((file) => file !== undefined) ?? "", ...called.map(({ file }) => file)];
  return called.map(({ name }, index) => ({ file: files[index] ?? "", name }));
}

function atCall(line: string): PrintedCall[] {
  const [, dotnetName, dotnetFile] = dotnetCall.exec(line) ?? [];
  if (dotnetName !== undefined && dotnetFile !== undefined) return [{ file: dotnetFile, name: dotnetName }];
  const call = atLine.exec(line)?.[1];
  if (call === undefined) return [];
  const [, owner, method] = javaCall.exec(call) ?? [];
  if (owner !== undefined && method !== undefined) return [{ file: owner, name: `${shortOwner(owner)}.${method}` }];
  const [, name = "", file] = nodePlace.exec(call) ?? [];
  return file === undefined ? [] : [{ file, name }];
}

function shortOwner(owner: string): string {
  return owner.slice(owner.lastIndexOf(".") + 1);
}
