/** Question marks shown of a command; `…` stands for the rest. */
const shownMax = 8;

/** Returns a command of Redis without its arguments, keys included: `SET ? ?`. */
export function redisCommand(name: string, argumentCount: number): string {
  const shown = Array.from({ length: Math.min(argumentCount, shownMax) }, () => "?");
  return [name.toUpperCase(), ...shown, ...(argumentCount > shownMax ? ["…"] : [])].join(" ");
}
