/** Limits of data that other clients than ours send: of one object with its values. `docs/limits.md` lists them. */
export const dataLimits = {
  /** Levels of nesting, and values, that are kept. */
  dataLevelsMax: 6,
  dataValuesMax: 500,
  dataTextLengthMax: 1_024,
} as const;

const cutMark = "…";

/** Returns the text, cut to a length without splitting a character, and without lone surrogates. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text.toWellFormed();
  return `${text.slice(0, lengthMax - 1).toWellFormed()}${cutMark}`;
}

/**
 * Returns a copy of parsed JSON within the limits of data: what is nested too deeply, and what comes after the last
 * value that may be kept, becomes `…`.
 */
export function boundedData(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return new Copy().object(fields, dataLimits.dataLevelsMax);
}

class Copy {
  #values = 0;

  object(fields: Readonly<Record<string, unknown>>, levels: number): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(fields)) {
      if (this.#isFull()) break;
      kept.push([cutText(name, dataLimits.dataTextLengthMax), this.#value(value, levels - 1)]);
    }
    return Object.fromEntries(kept);
  }

  #value(value: unknown, levels: number): unknown {
    if (typeof value === "string") return cutText(value, dataLimits.dataTextLengthMax);
    if (typeof value !== "object" || value === null) return value;
    if (levels === 0) return cutMark;
    if (!Array.isArray(value)) return this.object({ ...value }, levels);
    const kept: unknown[] = [];
    for (const item of value) {
      if (this.#isFull()) break;
      kept.push(this.#value(item, levels - 1));
    }
    return kept;
  }

  #isFull(): boolean {
    this.#values += 1;
    return this.#values > dataLimits.dataValuesMax;
  }
}
