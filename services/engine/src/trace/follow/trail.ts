import type { StepArgs, ValueSource } from "../../signals/code/value-sources.ts";
import type { OutOfSight } from "../../signals/gap.ts";
import { type AnyCodeSignal, type CodeSignalArgs, type CodeSignalKind, isTrained } from "../../signals/signal.ts";
import { assignedBy, pathOf, stepTextOf } from "../code/expressions.ts";
import { nameAround } from "../code/functions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { sentRequest } from "./sent-requests.ts";

/** How far a value is followed, and along how many paths: code can be written to have infinitely many. */
const stepsMax = 20;
const signalsMax = 220;
const signalsOfValueMax = 60;
const placesOfValueMax = 400;

/** A signal without its place. */
export type Said = {
  [K in CodeSignalKind]: { readonly kind: K; readonly args: CodeSignalArgs[K] } & Pick<AnyCodeSignal, "request">;
}[CodeSignalKind];
export type CodePlaceSubject = AnyCodeSignal["subject"];

/** All signals from the code, each with the one it leads to. */
export class Trail {
  readonly #signals: AnyCodeSignal[] = [];
  /** Signals that no feature counts: they change neither the limits nor the ends of trails. */
  readonly #aside: AnyCodeSignal[] = [];
  readonly #known = new Map<string, AnyCodeSignal>();
  readonly #entered = new Set<string>();
  /** Signals that had more to follow, or led to something already followed. */
  readonly #cut = new Set<AnyCodeSignal>();
  readonly #outOfSight: OutOfSight[] = [];
  #bound = 0;
  #placesLeft = 0;
  /** The messages of the errors that are followed. */
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    this.messages = messages;
  }

  /** The first signal: what the error says about the place where it was thrown. */
  get first(): AnyCodeSignal | null {
    return this.#signals[0] ?? null;
  }

  get length(): number {
    return this.#signals.length;
  }

  /** Notes what the error leads to and the given code doesn't have. */
  leaveOpen(one: OutOfSight): void {
    this.#outOfSight.push(one);
  }

  get outOfSight(): readonly OutOfSight[] {
    return this.#outOfSight;
  }

  /** Resets the limits on what is added for one value. */
  startValue(): void {
    this.#bound = Math.min(signalsMax, this.#signals.length + signalsOfValueMax);
    this.#placesLeft = placesOfValueMax;
  }

  /** Returns whether something is visited for the first time and the limit on signals isn't reached. */
  enter(key: string, from: AnyCodeSignal): boolean {
    const isFull = from.steps >= stepsMax || this.#signals.length >= this.#bound || this.#placesLeft-- <= 0;
    if (isFull || this.#entered.has(key)) {
      this.#cut.add(from);
      return false;
    }
    this.#entered.add(key);
    return true;
  }

  /** Adds a signal; the same kind at the same place is one signal. */
  add(said: Said, subject: CodePlaceSubject, from: AnyCodeSignal | null, steps?: number): AnyCodeSignal {
    const key = `${said.kind}:${subject.file}:${subject.line}:${JSON.stringify(said.args)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const signal: AnyCodeSignal = {
      ...said,
      subject,
      steps: steps ?? (from ? from.steps + 1 : 0),
      isEnd: false,
      towards: from,
    };
    this.#known.set(key, signal);
    (isTrained(signal.kind) ? this.#signals : this.#aside).push(signal);
    return signal;
  }

  /** Adds one step of a value, backwards. */
  step(
    from: AnyCodeSignal,
    program: Program,
    node: CodeNode,
    how: ValueSource,
    name: string,
    known: Pick<
      StepArgs,
      "isSet" | "isFilled" | "isDefined" | "isUnread" | "isUnused" | "isChosen" | "isCallback" | "keys"
    > = {},
  ): AnyCodeSignal {
    const assigned = assignedBy(node, program.source);
    const isSetting = assigned !== null || node.kind === "entry";
    const path = pathOf((isSetting && part(node, "value")) || node);
    const args = {
      how,
      name: name.slice(0, nameUnitsMax),
      code: stepTextOf(node, program.source),
      ...(assigned && { assigned }),
      ...(path && { path }),
      ...known,
    };
    const request = sentRequest(program, node, how);
    return this.add({ kind: "value-step", args, ...(request && { request }) }, placeAt(program, node), from);
  }

  /** Returns whether an origin was found that a signal follows from. */
  hasOriginFrom(signal: AnyCodeSignal): boolean {
    return this.#signals.some((one) => one.kind === "value-step" && origins.has(one.args.how) && leadsTo(one, signal));
  }

  /** Returns the signals in the order in which they were found; those that nothing follows from are the ends. */
  signals(): AnyCodeSignal[] {
    const inner = new Set(this.#signals.map(({ towards }) => towards));
    const final = new Map<AnyCodeSignal, AnyCodeSignal>();
    // A signal may lead to one that no feature counts, which comes after it.
    const finish = (signal: AnyCodeSignal): AnyCodeSignal => {
      const known = final.get(signal);
      if (known) return known;
      const towards = signal.towards && finish(signal.towards);
      const isEnd = !inner.has(signal) && !this.#cut.has(signal) && signal.kind === "value-step";
      const finished = { ...signal, towards, isEnd };
      final.set(signal, finished);
      return finished;
    };
    return [...this.#signals, ...this.#aside].map(finish);
  }
}

/** Returns whether a signal leads to another one, or is it. */
export function leadsTo(signal: AnyCodeSignal, later: AnyCodeSignal): boolean {
  for (let at: AnyCodeSignal | null = signal; at !== null; at = at.towards) if (at === later) return true;
  return false;
}

/** Longest name of a step, in UTF-16 units. */
export const nameUnitsMax = 120;

const origins: ReadonlySet<ValueSource> = new Set<ValueSource>([
  "literal",
  "data",
  "setting",
  "missing-key",
  "environment",
  "fallback",
  "returns-nothing",
  "outside-answer",
  "incoming-body",
]);

export function placeAt({ source }: Program, node: CodeNode): CodePlaceSubject {
  return { kind: "place", file: source.name, line: source.lineAt(node.start), function: nameAround(node), source };
}
