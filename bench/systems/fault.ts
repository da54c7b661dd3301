import type { Choice } from "./choice.ts";
import type { Customers } from "./customers.ts";
import type { Conductor } from "./machines/conductor.ts";
import type { RunningSystem } from "./running-system.ts";
import type { ServicePlan, Topology } from "./topology.ts";

/** What kind of thing breaks. */
export type Family = "release" | "setting" | "dependency" | "data" | "load" | "host" | "clock";

/** What a fault can reach. */
export interface Stage {
  readonly topology: Topology;
  readonly system: RunningSystem;
  readonly conductor: Conductor;
  readonly customers: Customers;
  readonly choice: Choice;
}

/** What caused the failures of a run. */
export interface Cause {
  /** Where something has to be done: of a third party or a database, the services that depend on it. */
  readonly services: readonly string[];
  /** The third party or the database, as services call it: name and port; null when none caused it. */
  readonly dependency: string | null;
  /** The release that caused it; null when none did. */
  readonly release: string | null;
  /** The hosts that it is limited to; null for all. */
  readonly hosts: readonly string[] | null;
}

/** A fault of a system, before it happens. */
export interface Fault {
  readonly cause: Cause;
  inject(stage: Stage): Promise<void> | void;
}

/** A way to break systems. */
export interface Operator {
  readonly name: string;
  readonly family: Family;
  /** A fault for the system; null where it has no place for one. */
  plan(topology: Topology, choice: Choice): Fault | null;
}

/** A service whose failures are seen: it reports, or one that calls it does. */
export function seenServices({ services }: Topology): ServicePlan[] {
  return services.filter(({ name, reports }) => reports || callersOf(name, services).some((one) => one.reports));
}

/** The services that call a service or a third party. */
export function callersOf(name: string, services: readonly ServicePlan[]): ServicePlan[] {
  return services.filter(({ calls, parties }) => [...calls, ...parties].some(({ to }) => to === name));
}

/** One of some services; null when there is none. */
export function oneOf<Item>(items: readonly Item[], choice: Choice): Item | null {
  return items.length === 0 ? null : choice.of(items);
}

/** All hosts of a service or, often, some of several. */
export function someHosts({ hosts }: ServicePlan, choice: Choice, shareOfSome: number): readonly string[] {
  return hosts.length > 1 && choice.chance(shareOfSome)
    ? choice.some(hosts, choice.between(1, hosts.length - 1))
    : hosts;
}

/** The next release after one. */
export function releaseAfter(release: string, choice: Choice): string {
  const [major = 1, minor = 0, patch = 0] = release.split(".").map(Number);
  if (choice.chance(0.1)) return `${major + 1}.0.0`;
  return choice.chance(0.5) ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** A cause in one service. */
export function causedBy({ name }: ServicePlan, more: Partial<Cause> = {}): Cause {
  return { services: [name], dependency: null, release: null, hosts: null, ...more };
}
