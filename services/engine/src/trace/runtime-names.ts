import { tracedMessages } from "./languages.ts";

/** Returns what a runtime's own message names, in its order; null for a message that isn't a runtime's own. */
export function namesInRuntimeMessage(message: string): readonly string[] | null {
  for (const { pattern } of tracedMessages) {
    const match = pattern.exec(message);
    if (match) return match.slice(1).filter((name) => name !== undefined && !isState.test(name));
  }
  return null;
}

/** What every message of a form says, rather than a name of the program. */
const isState = /^(?:undefined|null|read|set)$/;
