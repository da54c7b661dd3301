import type ts from "typescript";
import type { Clue, CodePlace, ValueSource } from "../../../findings.ts";
import { nameAround } from "./functions.ts";
import type { Program } from "./program.ts";

/** How far a value is followed, and how many of its ways: code can be written to have endlessly many. */
const stepsMax = 18;
const cluesMax = 60;

/** What was seen on the way of a value, in the order of the way. */
export class TraceLog {
  readonly #clues: Clue[] = [];
  readonly #seen = new Set<string>();

  /** Whether a node is looked at for the first time, and there is still room for what it tells. */
  enter(key: string, steps: number): boolean {
    if (steps > stepsMax || this.#clues.length >= cluesMax || this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  get length(): number {
    return this.#clues.length;
  }

  note(program: Program, node: ts.Node, how: ValueSource, subject: string, says: string, steps: number): void {
    const { source } = program;
    const line = source.lineAt(node.getStart(program.tree));
    this.push({ file: source.name, line, function: nameAround(node), source }, how, subject, says, steps);
  }

  push(place: CodePlace, how: ValueSource, subject: string, says: string, steps: number): void {
    const kind = how === "environment" ? "environment-read" : "value-origin";
    this.#clues.push({ kind, place, subject, says, steps, how, isEnd: false });
  }

  /** Takes back the last note: it turned out to be innocent. */
  pop(): void {
    this.#clues.pop();
  }

  /** Steps are noted depth first: a trail ends where the next step is no deeper. */
  clues(): readonly Clue[] {
    return this.#clues.map((clue, index, all) => ({ ...clue, isEnd: (all[index + 1]?.steps ?? 0) <= clue.steps }));
  }
}
