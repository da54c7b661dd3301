import type { CorpusCase } from "../corpora/corpus-case.ts";

const casesMax = { package: 30, service: 60 };
const casesOfOperatorMax = 12;
/** The maximum share of cases whose culprit threw, which are the least informative. */
const topFrameShareMax = 0.4;
/** The maximum share of cases whose culprit isn't in the stack. */
const offStackShareMax = 0.5;
/** The maximum number of cases with the same error at the same place, whatever caused it. */
const casesOfSymptomMax = 5;

/** Keeps the cases of one package or service few and different. */
export class Quota {
  readonly #casesMax: number;
  readonly #operators = new Map<string, number>();
  readonly #symptoms = new Map<string, number>();
  #cases = 0;
  #topFrames = 0;
  #offStack = 0;

  constructor(kind: CorpusCase["kind"]) {
    this.#casesMax = casesMax[kind];
  }

  get isFull(): boolean {
    return this.#cases >= this.#casesMax;
  }

  wants(operator: string): boolean {
    return (this.#operators.get(operator) ?? 0) < casesOfOperatorMax;
  }

  /** Counts a case, unless there are enough of its kind. */
  take({ operator = "", truth }: CorpusCase, symptom: string): boolean {
    const alike = this.#symptoms.get(symptom) ?? 0;
    const isTop = truth.depth === 0;
    if (this.isFull || !this.wants(operator)) return false;
    if (alike >= casesOfSymptomMax) return false;
    if (truth.depth < 0 && this.#offStack >= this.#casesMax * offStackShareMax) return false;
    if (isTop && this.#topFrames >= this.#casesMax * topFrameShareMax) return false;
    this.#cases++;
    this.#symptoms.set(symptom, alike + 1);
    this.#operators.set(operator, (this.#operators.get(operator) ?? 0) + 1);
    if (isTop) this.#topFrames++;
    if (truth.depth < 0) this.#offStack++;
    return true;
  }

  get summary(): string {
    return `${this.#topFrames} on top, ${this.#offStack} off the stack`;
  }
}
