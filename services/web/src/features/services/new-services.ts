import type { Service } from "@whence/protocol";

const nameOf = ({ service, env }: Service): string => JSON.stringify([service, env]);

/** Returns the services that weren't in the earlier list. */
export function newServices(before: readonly Service[], now: readonly Service[]): Service[] {
  const known = new Set(before.map(nameOf));
  return now.filter((service) => !known.has(nameOf(service)));
}
