/** A key press and its time, in milliseconds. */
export interface PressedKey {
  readonly name: string;
  readonly at: number;
}

/** How long after a key the next one still belongs to it, like `i` after `g`. */
export const sequenceMs = 900;

/**
 * Returns the sequences that a key press completes, the most specific first: `g i` if `g` was pressed just before, then
 * `i`.
 */
export function keySequences(before: PressedKey | null, pressed: PressedKey): readonly string[] {
  const isSequence = before !== null && pressed.at - before.at < sequenceMs;
  return isSequence ? [`${before.name} ${pressed.name}`, pressed.name] : [pressed.name];
}
