import { tracedMessages } from "./languages.ts";

/** Messages of runtimes that no line of code explains. They name nothing of the program. */
const nameless =
  /(?:(?:RangeError|RecursionError|SystemStackError|System\.NullReferenceException): )?(?:Maximum call stack size exceeded|Object reference not set to an instance of an object|maximum recursion depth exceeded|stack level too deep|concurrent map (?:writes|read and map write|iteration and map write)|all goroutines are asleep)/;

/** The words before a runtime's own message. Any other makes it the program's message. */
const before =
  /^(?:panic|runtime|error|fatal|runtime\.\w+|Uncaught|\(in|promise\)|Unhandled\w*|Exception|in|thread|"[^"]*"|java\.[\w.]*|Array|String)$/;

/** Types and states of languages, which every program has. */
const ofLanguage =
  /^(?:undefined|null|nil|None|NoneType|NilClass|read|set|int|str|float|bool|bytes|list|dict|tuple|object|string|number|boolean|function|symbol|bigint|String|Integer|Float|Array|Hash|Symbol|Object|error|map|float64|int64|interface|\(?intermediate value\)?|<.{0,80}>|(?:java|javax|kotlin)\..{1,200})$/;

const patterns: readonly RegExp[] = [...tracedMessages.map(({ pattern }) => pattern), nameless];
const messageUnitsRead = 2_000;

/**
 * Returns what a runtime's own message names of the program, in its order; null for a message of the program's own,
 * even if it has words of a runtime.
 */
export function namesInRuntimeMessage(message: string): readonly string[] | null {
  const text = message
    .slice(0, messageUnitsRead)
    .replace(/^(?:Uncaught |\(in promise\) )+/, "")
    .replace(/\binvalid memory address or /, "");
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const words = text.slice(0, match.index).split(/[\s:]+/);
    if (!words.every((word) => word === "" || before.test(word))) continue;
    return match.slice(1).filter((name) => name !== undefined && /[A-Za-z_$]/.test(name) && !ofLanguage.test(name));
  }
  return null;
}
