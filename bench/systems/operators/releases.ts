import type { Choice } from "../choice.ts";
import type { CodeChange } from "../code-change.ts";
import {
  callersOf,
  causedBy,
  type Fault,
  type Operator,
  oneOf,
  releaseAfter,
  seenServices,
  someHosts,
} from "../fault.ts";
import type { ServicePlan, Topology } from "../topology.ts";

/** How often a release goes to some hosts first. */
const canaryShare = 0.3;

type MadeChange = (service: ServicePlan, topology: Topology, choice: Choice) => CodeChange | null;

/** A release that does something differently, of a service that it fits. */
function release(name: string, candidates: (topology: Topology) => ServicePlan[], change: MadeChange): Operator {
  return {
    name,
    family: "release",
    plan(topology, choice) {
      const service = oneOf(candidates(topology), choice);
      const changed = service && change(service, topology, choice);
      return service && changed ? deployOf(service, changed, choice) : null;
    },
  };
}

function deployOf(service: ServicePlan, change: CodeChange, choice: Choice): Fault {
  const next = releaseAfter(service.release, choice);
  const hosts = someHosts(service, choice, canaryShare);
  return {
    cause: causedBy(service, { release: next, hosts: hosts.length < service.hosts.length ? hosts : null }),
    inject: ({ system }) => system.replace(service, { ...system.versionOf(service), release: next, change }, hosts),
  };
}

function reporting({ services }: Topology): ServicePlan[] {
  return services.filter(({ reports }) => reports);
}

/** Services that a reporting one calls. */
function called(topology: Topology): ServicePlan[] {
  return topology.services.filter(({ name }) => callersOf(name, topology.services).some(({ reports }) => reports));
}

/** New releases with a mistake in them. */
export const releases: readonly Operator[] = [
  release("own-mistake", reporting, (_service, _topology, choice) => ({
    mistake: choice.of(["reads-missing-member", "rejects-valid", "index-beyond", "endless"] as const),
  })),
  release("rare-input", reporting, () => ({ mistake: "rare-input" })),
  release("changed-field", called, ({ name }, { services }, choice) => {
    const caller = oneOf(
      callersOf(name, services).filter(({ reports }) => reports),
      choice,
    );
    const read = caller?.calls.find(({ to }) => to === name);
    return read ? { field: { name: read.field, how: choice.of(["renamed", "removed", "text"] as const) } } : null;
  }),
  release("removed-route", called, (_service, _topology, choice) => ({ path: choice.of(["plural", "versioned"]) })),
  release(
    "sends-otherwise",
    (topology) => seenServices(topology).filter(({ calls }) => calls.length > 0),
    (_service, _topology, choice) => ({ sends: choice.of(["text-quantity", "no-id"] as const) }),
  ),
  release(
    "floods",
    ({ services }) => services.filter(({ parties, reports }) => parties.length > 0 && reports),
    () => ({ sends: "many" }),
  ),
  release(
    "floods-callee",
    ({ services }) => services.filter(({ calls }) => callsOneWithParty(calls, services)),
    () => ({ sends: "many" }),
  ),
  release(
    "leaks-connections",
    (topology) => seenServices(topology).filter(({ database }) => database !== null),
    () => ({ leaks: "connections" }),
  ),
  release("leaks-memory", called, () => ({ leaks: "memory" })),
  release("blocks-thread", called, (_service, _topology, choice) => ({ hashesMs: choice.between(3_000, 9_000) })),
  release("does-not-start", called, (_service, _topology, choice) => ({
    startsWith: choice.of(["missing-module", "throw"] as const),
  })),
];

function callsOneWithParty(calls: ServicePlan["calls"], services: readonly ServicePlan[]): boolean {
  return calls.some(({ to }) => services.find(({ name }) => name === to)?.parties.length);
}
