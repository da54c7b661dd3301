import { english, type Messages } from "../../src/report/messages.en.ts";

/** What messages pass on as data. */
const data = "rollsBack";

/** The messages of a report with every text replaced by what `other` makes of it. */
export function reworded(other: (text: string) => string): Messages {
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") return other(value);
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value === "function") return (...args: unknown[]) => replaced(value(...args));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === data ? one : replaced(one)]));
  };
  return replaced(english) as Messages;
}
