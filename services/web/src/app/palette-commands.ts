/** Returns the commands whose label contains the text, in any case; all of them for an empty text. */
export function matchingCommands<Command extends { readonly label: string }>(
  commands: readonly Command[],
  text: string,
): Command[] {
  const searched = text.toLowerCase();
  return commands.filter(({ label }) => label.toLowerCase().includes(searched));
}

/**
 * Returns the position that an arrow key leads to among `count` results: the first follows the last, and the other way
 * around.
 */
export function nextPosition(position: number, key: string, count: number): number {
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  return (position + step + count) % Math.max(1, count);
}
