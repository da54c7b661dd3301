/** The number of arguments shown as question marks; `…` stands for the rest. */
const shownMax = 8;

/** Returns a Redis command without its arguments, including keys: `SET ? ?`. */
export function redisCommand(name: string, argumentCount: number): string {
  const shown = Array.from({ length: Math.min(argumentCount, shownMax) }, () => "?");
  return [name.toUpperCase(), ...shown, ...(argumentCount > shownMax ? ["…"] : [])].join(" ");
}
