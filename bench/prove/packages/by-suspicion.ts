import type { TestRun } from "@whence/protocol";
import { functionsOf } from "./mistakes-in.ts";

type Ran = TestRun["functions"][number];

/** Whether the function and the file that each rule puts first are right. */
export type BySuspicion = Readonly<Record<Rule, { readonly file: boolean; readonly function: boolean }>>;

/** Rules by which the functions that a failing test ran can be ordered. */
export const rules = [
  "longest",
  "no passing test, longest",
  "fewest passing tests, longest",
  "Ochiai, longest",
  "most failing alike, fewest others, longest",
] as const;
export type Rule = (typeof rules)[number];

/** Returns what coverage alone says: which function each rule puts first, of those that the failing test ran. */
export function bySuspicion(
  ran: TestRun,
  truth: { readonly file: string; readonly function: string },
  textOf: (file: string) => string,
): BySuspicion {
  const lines = new Map(ran.functions.map((one) => [one, ownLines(one, textOf)]));
  const longest = (one: Ran): number => -(lines.get(one) ?? 0);
  const ochiai = ({ failed, passed }: Ran): number =>
    -(1 + failed) / Math.sqrt((1 + ran.failed) * (1 + failed + passed));
  const orders: Record<Rule, readonly ((one: Ran) => number)[]> = {
    longest: [longest],
    "no passing test, longest": [({ passed }) => Number(passed > 0), longest],
    "fewest passing tests, longest": [({ passed }) => passed, longest],
    "Ochiai, longest": [ochiai, longest],
    "most failing alike, fewest others, longest": [({ failed }) => -failed, ({ passed }) => passed, longest],
  };
  const isRight = (keys: readonly ((one: Ran) => number)[]): { file: boolean; function: boolean } => {
    const [first] = ran.functions.toSorted((one, other) => {
      for (const key of keys) if (key(one) !== key(other)) return key(one) - key(other);
      return 0;
    });
    const file = first?.file === truth.file;
    return { file, function: file && lastPart(first?.function ?? "") === lastPart(truth.function) };
  };
  return {
    longest: isRight(orders.longest),
    "no passing test, longest": isRight(orders["no passing test, longest"]),
    "fewest passing tests, longest": isRight(orders["fewest passing tests, longest"]),
    "Ochiai, longest": isRight(orders["Ochiai, longest"]),
    "most failing alike, fewest others, longest": isRight(orders["most failing alike, fewest others, longest"]),
  };
}

/** The lines of a function without those of the named functions within it. */
function ownLines({ file, function: name, starts }: Ran, textOf: (file: string) => string): number {
  const text = textOf(file);
  const functions = functionsOf(file, text);
  const around = text.split("\n").map((_, index) => functions.atLine(index + 1));
  const begun = around.find((one) => one?.lineStart === starts) ?? around.find((one) => one?.name === lastPart(name));
  return begun ? around.filter((one) => one?.lineStart === begun.lineStart && one.name === begun.name).length : 0;
}

function lastPart(name: string): string {
  return name.split(/[.#:]/).at(-1) ?? "";
}
