/** A key press and its time, in milliseconds. */
export interface PressedKey {
  readonly name: string;
  readonly at: number;
}

/** The key that begins sequences: the one after it means a page, and nothing else. */
const leader = "g";

/** How long after the leader a key still belongs to it, like `i` after `g`. */
export const sequenceMs = 900;

/** Returns the keys that a key press completes: `g i` if `g` was pressed just before, or else `i`. */
export function keySequence(before: PressedKey | null, pressed: PressedKey): string {
  const isSequence = before?.name === leader && pressed.at - before.at < sequenceMs;
  return isSequence ? `${before.name} ${pressed.name}` : pressed.name;
}
