/** `t`, `e.x`, `Xe`, `$r`, `_0x3f2a`: what a minifier or an obfuscator leaves of a name. */
const short = /^[$_a-zA-Z][$_a-zA-Z0-9]?$/;
const obfuscated = /^_0x[0-9a-f]+$/i;

/** Whether nothing of the original name is left in it. */
export function isMinified(name: string): boolean {
  if (name === "") return false;
  const parts = name.split(".");
  return parts.every((part) => short.test(part) || obfuscated.test(part));
}
