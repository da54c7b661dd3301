import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";

/** The fields of facts that name a service. Texts of outsiders are in others. */
const naming: ReadonlySet<string> = new Set(["service", "services", "target", "source"]);

/** Returns whether an observation names a service. */
export function isServiceSeen(service: string, observations: readonly Observation[]): boolean {
  return observations.some(({ fact }) => fact.kind !== "model-finding" && names(fact, service, false));
}

function names(value: unknown, service: string, isName: boolean): boolean {
  if (typeof value === "string") return isName && value === service;
  if (Array.isArray(value)) return value.some((one) => names(one, service, isName));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([field, one]) => names(one, service, naming.has(field)));
}

/** Returns whether a service is known to have had a release: it went live, or was compared with another one. */
export function isReleaseSeen(
  { service, release }: { readonly service: string; readonly release: string },
  observations: readonly Observation[],
): boolean {
  const known = [
    ...ofKind(observations, "deploy").map(({ fact }) => fact.deploy),
    ...ofKind(observations, "comparison").map(({ fact }) => fact.comparison),
    ...ofKind(observations, "release-change").map(({ fact }) => fact.change),
  ];
  return known.some((one) => one.service === service && one.release === release);
}
