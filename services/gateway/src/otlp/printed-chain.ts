/** An error as a runtime printed it, with its own part of the stack. */
export interface PrintedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

/** What Python prints between an error and the one that was raised while it was handled, which follows it. */
const pythonSeparator =
  /\n\n(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):\n\n/;
const jvmSeparator = /\r?\n(?=Caused by: )/;
const dotnetCause = /^ ---> (.*)$/;
const dotnetEnd = /^ *--- End of inner exception stack trace ---$/;

/**
 * Splits a printed stack at the causes that Python, the JVM, and .NET print with it: the error itself first, then what
 * caused it, and so on. The first one has no name of its own, since what reports it names it.
 */
export function printedChain(stack: string): readonly [stack: string, ...causes: PrintedError[]] {
  const python = stack.split(pythonSeparator);
  if (python.length > 1) {
    const [own = "", ...causes] = python.toReversed();
    return [own, ...causes.map((part) => named(part, lastLine(part)))];
  }
  const jvm = stack.split(jvmSeparator);
  if (jvm.length > 1) {
    const [own = "", ...causes] = jvm;
    return [own, ...causes.map((part) => named(part, part.split("\n", 1)[0]?.replace(/^Caused by: /, "") ?? ""))];
  }
  return dotnetChain(stack.split(/\r?\n/));
}

/** .NET prints all names first, then the calls of the innermost cause, and of each error that it caused. */
function dotnetChain(lines: readonly string[]): readonly [stack: string, ...causes: PrintedError[]] {
  const heads = lines.flatMap((line) => dotnetCause.exec(line)?.[1] ?? []);
  const whole = lines.join("\n");
  if (heads.length === 0) return [whole];
  const [first = ""] = lines;
  const parts: string[][] = [[]];
  for (const line of lines.slice(1)) {
    if (dotnetEnd.test(line)) parts.push([]);
    else if (!dotnetCause.test(line)) parts.at(-1)?.push(line);
  }
  // A stack that was cut has fewer parts than names.
  if (parts.length !== heads.length + 1) return [whole];
  const outermostFirst = parts.toReversed().map((calls) => calls.join("\n"));
  const [own = "", ...calls] = outermostFirst;
  return [`${first}\n${own}`, ...heads.map((head, index) => named(`${head}\n${calls[index] ?? ""}`, head))];
}

function named(stack: string, head: string): PrintedError {
  const [, type = head, message = ""] = /^([^\s:][^:]*?)(?:: (.*))?$/s.exec(head) ?? [];
  return { type: type.trim(), message, stack };
}

function lastLine(text: string): string {
  return (
    text
      .trimEnd()
      .split("\n")
      .findLast((line) => /^\S/.test(line)) ?? ""
  );
}
