import { type LocatedFrame, lineOf } from "../findings/located-frame.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { repeatedCalls } from "../findings/repeated-call.ts";
import { isOverflow } from "../words/overflow.ts";

/**
 * Returns the frames with the calls of an endless recursion first: whatever it called when the stack was full could have
 * been any call.
 */
export function recursionFirst(frames: readonly LocatedFrame[], { exceptions }: ParsedError): readonly LocatedFrame[] {
  const full = Map.groupBy(frames, ({ exception }) => exception);
  return [...full].flatMap(([index, stack]) => {
    const exception = exceptions[index];
    return exception && isOverflow(exception) ? withRecursionFirst(stack) : stack;
  });
}

function withRecursionFirst(stack: readonly LocatedFrame[]): readonly LocatedFrame[] {
  const repeated = repeatedCalls(stack, (frame) => `${frame.file}:${lineOf(frame)}`).flat();
  const own = repeated.filter(({ frame }) => frame.origin === "app");
  const cycle = new Set(own.length > 0 ? own : repeated);
  const start = stack.findIndex((frame) => cycle.has(frame));
  return start < 0 ? stack : [...stack.slice(start), ...stack.slice(0, start)];
}
