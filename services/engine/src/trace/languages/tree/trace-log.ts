import type { Clue, CodePlace, ValueSource } from "../../../findings.ts";
import type { CodeNode } from "./code-node.ts";
import { nameAround } from "./functions.ts";
import type { CodeProgram } from "./program.ts";

/** How far a value is followed, and how many of its ways: code can be written to have endlessly many. */
const stepsMax = 18;
const cluesMax = 60;

/** What was seen on the way of a value, in the order of the way. */
export class TraceLog {
  readonly #clues: Clue[] = [];
  readonly #seen = new Set<string>();

  /** Whether something is looked at for the first time, and there is still room for what it tells. */
  enter(key: string, steps: number): boolean {
    if (steps > stepsMax || this.#clues.length >= cluesMax || this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  get length(): number {
    return this.#clues.length;
  }

  /** Whether an origin was found since there were `length` clues. */
  hasOriginSince(length: number): boolean {
    return this.#clues.slice(length).some(({ how }) => how !== null && origins.has(how));
  }

  note(program: CodeProgram, node: CodeNode, how: ValueSource, subject: string, says: string, steps: number): void {
    this.push(placeAt(program, node), how, subject, says, steps);
  }

  push(place: CodePlace, how: ValueSource, subject: string, says: string, steps: number): void {
    const kind = how === "environment" ? "environment-read" : "value-origin";
    this.#clues.push({ kind, place, subject, says, steps, how, isEnd: false });
  }

  /** Steps are noted depth first: a trail ends where the next step is no deeper. */
  clues(): readonly Clue[] {
    return this.#clues.map((clue, index, all) => ({ ...clue, isEnd: (all[index + 1]?.steps ?? 0) <= clue.steps }));
  }
}

const origins: ReadonlySet<string> = new Set([
  "literal",
  "data",
  "setting",
  "missing-key",
  "environment",
  "fallback",
  "returns-nothing",
]);

export function placeAt(program: CodeProgram, node: CodeNode): CodePlace {
  const { source } = program;
  return { file: source.name, line: source.lineAt(node.start), function: nameAround(program, node), source };
}
