import type { ModelTokens } from "../models/models.ts";
import { countedTokens } from "../models/token-count.ts";

/** What a server reported about one answer. */
interface Reported {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/**
 * The tokens of one run: those that its server reported, and an estimate where it reported none, or was stopped before
 * it did.
 */
export class UsedTokens {
  #inputTokens = 0;
  #outputTokens = 0;
  /** The estimate for a request that hasn't been answered. */
  #asked = 0;

  get total(): ModelTokens {
    return { inputTokens: this.#inputTokens + this.#asked, outputTokens: this.#outputTokens };
  }

  /** Counts a request of this many characters before it is sent. */
  ask(characters: number): void {
    this.#inputTokens += this.#asked;
    this.#asked = countedTokens(undefined, characters);
  }

  /** Counts the answer, and replaces the estimate by the reported usage, if there is any. */
  answer({ inputTokens, outputTokens }: Reported, characters: number): void {
    this.#inputTokens += countedTokens(inputTokens, 0) || this.#asked;
    this.#outputTokens += countedTokens(outputTokens, characters);
    this.#asked = 0;
  }

  /** Takes back the request, which no model worked on. */
  reject(): void {
    this.#asked = 0;
  }
}
