import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal, CodeSignalArgs, CodeSignalKind } from "../signals/signal.ts";
import { textOf } from "./expressions.ts";
import { nameAround } from "./functions.ts";
import type { CodeNode } from "./ir.ts";
import type { Program } from "./program.ts";
import { sentRequest } from "./sent-requests.ts";

/** How far a value is followed, and how many of its ways: code can be written to have endlessly many. */
const stepsMax = 20;
const signalsMax = 220;
const signalsOfValueMax = 60;
const placesOfValueMax = 400;

/** What a signal says, before it has its place. */
export type Said = {
  [K in CodeSignalKind]: { readonly kind: K; readonly args: CodeSignalArgs[K] } & Pick<AnyCodeSignal, "request">;
}[CodeSignalKind];
export type CodePlaceSubject = AnyCodeSignal["subject"];

/** Everything that was seen in the code, each with what it leads to. */
export class Trail {
  readonly #signals: AnyCodeSignal[] = [];
  readonly #known = new Map<string, AnyCodeSignal>();
  readonly #entered = new Set<string>();
  /** Signals from which there was more to follow, or what was followed already. */
  readonly #cut = new Set<AnyCodeSignal>();
  #bound = 0;
  #placesLeft = 0;

  /** What was seen first: what the error says of the place where it was thrown. */
  get first(): AnyCodeSignal | null {
    return this.#signals[0] ?? null;
  }

  get length(): number {
    return this.#signals.length;
  }

  /** The signals that may still be added for one value. */
  startValue(): void {
    this.#bound = Math.min(signalsMax, this.#signals.length + signalsOfValueMax);
    this.#placesLeft = placesOfValueMax;
  }

  /** Whether something is visited for the first time and the limit on signals isn't reached. */
  enter(key: string, from: AnyCodeSignal): boolean {
    const isFull = from.steps >= stepsMax || this.#signals.length >= this.#bound || this.#placesLeft-- <= 0;
    if (isFull || this.#entered.has(key)) {
      this.#cut.add(from);
      return false;
    }
    this.#entered.add(key);
    return true;
  }

  /** Where something was seen; the same thing at the same place is one signal. */
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
    this.#signals.push(signal);
    return signal;
  }

  /** One step of a value, backwards. */
  step(from: AnyCodeSignal, program: Program, node: CodeNode, how: ValueSource, name: string): AnyCodeSignal {
    const code = textOf(node, program.source);
    const request = sentRequest(program, node, how);
    return this.add(
      { kind: "value-step", args: { how, name: name.slice(0, nameUnitsMax), code }, ...(request && { request }) },
      placeAt(program, node),
      from,
    );
  }

  /** Whether an origin was found from which a signal follows. */
  hasOriginFrom(signal: AnyCodeSignal): boolean {
    return this.#signals.some((one) => one.kind === "value-step" && origins.has(one.args.how) && follows(signal, one));
  }

  /** In the order in which they were found; those from which nothing follows are the ends. */
  signals(): AnyCodeSignal[] {
    const inner = new Set(this.#signals.map(({ towards }) => towards));
    const final = new Map<AnyCodeSignal, AnyCodeSignal>();
    for (const signal of this.#signals) {
      const towards = signal.towards && (final.get(signal.towards) ?? null);
      final.set(signal, {
        ...signal,
        towards,
        isEnd: !inner.has(signal) && !this.#cut.has(signal) && signal.kind === "value-step",
      });
    }
    return [...final.values()];
  }
}

function follows(later: AnyCodeSignal, from: AnyCodeSignal): boolean {
  for (let at: AnyCodeSignal | null = from; at !== null; at = at.towards) if (at === later) return true;
  return false;
}

const nameUnitsMax = 120;

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
