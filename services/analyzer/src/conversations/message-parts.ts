import { type MessagePart, oneLine, utcTime } from "@whence/vendors";
import { messageLimits } from "./message-limits.ts";

const { headlineLengthMax, paragraphLengthMax, stepLengthMax, factLengthMax, stepsMax } = messageLimits;

/** Matches times in the engine's format. */
const timeInProse = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Returns a report's prose as one line of at most `lengthMax` characters, without citations and with readable times.
 */
export function proseLine(text: string, lengthMax: number): string {
  return oneLine(
    text.slice(0, 4 * lengthMax).replaceAll(timeInProse, (at) => (Number.isNaN(Date.parse(at)) ? at : utcTime(at))),
    lengthMax,
  );
}

/** Returns the first sentence of a message from a report's prose, without citations and bounded. */
export function headlineFrom(text: string): string {
  return proseLine(text, headlineLengthMax);
}

/** Returns a paragraph of a report's prose; nothing for an empty one. */
export function paragraph(label: string | null, text: string): readonly MessagePart[] {
  const line = proseLine(text, paragraphLengthMax);
  return line === "" ? [] : [{ kind: "paragraph", label, text: line }];
}

/**
 * Returns steps of a report's prose; nothing for none. If there are too many, those in the middle are left out and
 * counted.
 */
export function steps(label: string, texts: readonly string[]): readonly MessagePart[] {
  const lines = texts.map((text) => proseLine(text, stepLengthMax)).filter((line) => line !== "");
  if (lines.length === 0) return [];
  const leftOut = lines.length - stepsMax + 1;
  const shown =
    lines.length <= stepsMax
      ? lines
      : [...lines.slice(0, stepsMax - 2), `(${leftOut} steps are in the report)`, ...lines.slice(-1)];
  return [{ kind: "steps", label, steps: shown }];
}

/** Returns facts for a small line; nothing for none. */
export function facts(texts: readonly (string | null)[]): readonly MessagePart[] {
  const lines = texts.map((text) => proseLine(text ?? "", factLengthMax)).filter((line) => line !== "");
  return lines.length === 0 ? [] : [{ kind: "facts", facts: lines }];
}
