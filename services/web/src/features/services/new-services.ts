import type { Service } from "@whence/protocol";

const nameOf = ({ service, env }: Service): string => JSON.stringify([service, env]);

/** The services that were not among those before. */
export function newServices(before: readonly Service[], now: readonly Service[]): Service[] {
  const known = new Set(before.map(nameOf));
  return now.filter((service) => !known.has(nameOf(service)));
}
