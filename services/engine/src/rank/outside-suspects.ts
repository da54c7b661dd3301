import { combinedWeight, sourceOf, strongestOfEachKind } from "./independent-reasons.ts";
import type { OutsideReason } from "./outside-reasons.ts";
import type { Suspect } from "./suspect.ts";

/** A reason to suspect a host at which no service is known to answer. */
export interface HostReason extends Pick<OutsideReason, "weight" | "category" | "observation"> {
  readonly host: string;
}

/** Returns the called host that the error's own calls lead to, and those that other evidence suspects, each once. */
export function suspectedHosts(called: Suspect | null, reasons: readonly HostReason[]): Suspect[] {
  const byHost = Map.groupBy(reasons, ({ host }) => host);
  const hosts = [...byHost].map(([host, against]) => suspectOf(host, against));
  const same = hosts.find(({ subject }) => called !== null && isSame(subject, called.subject));
  if (!called) return hosts;
  if (!same) return [called, ...hosts];
  const joined: Suspect = {
    ...called,
    category: same.category === unsaid ? called.category : same.category,
    weight: combinedWeight([called, same]),
    reasons: [...called.reasons, ...same.reasons],
    observations: [...same.observations, ...called.observations],
  };
  return [joined, ...hosts.filter((host) => host !== same)];
}

/** The category when no finding suggests one. */
const unsaid = "dependency-outage";

function suspectOf(host: string, reasons: readonly HostReason[]): Suspect {
  const sorted = strongestOfEachKind(reasons);
  return {
    subject: { kind: "dependency", name: host },
    service: null,
    category: sorted.find(({ category }) => category !== null)?.category ?? unsaid,
    weight: combinedWeight(sorted),
    reasons: sorted.map(({ observation, weight }) => ({ source: sourceOf(observation), weight })),
    observations: sorted.map(({ observation }) => observation),
  };
}

function isSame(one: Suspect["subject"], other: Suspect["subject"]): boolean {
  return one.kind === "dependency" && other.kind === "dependency" && one.name === other.name;
}
