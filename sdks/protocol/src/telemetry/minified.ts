/** Names that a minifier or an obfuscator leaves: `t`, `e.x`, `Xe`, `$r`, `_0x3f2a`. */
const short = /^[$_a-zA-Z][$_a-zA-Z0-9]?$/;
const obfuscated = /^_0x[0-9a-f]+$/i;

/** Whether a name has nothing of its original left. */
export function isMinified(name: string): boolean {
  if (name === "") return false;
  const parts = name.split(".");
  return parts.every((part) => short.test(part) || obfuscated.test(part));
}
