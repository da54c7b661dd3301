import { saidBy, type Thrown } from "./thrown.ts";

const tooDeep =
  /Maximum call stack size|maximum recursion depth|StackOverflowError|stack level too deep|stack overflow|goroutine stack exceeds/;

/** Returns whether an error says that the stack was full. */
export function isOverflow(error: Thrown): boolean {
  return tooDeep.test(saidBy(error));
}
