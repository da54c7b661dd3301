import type { Choice } from "../choice.ts";
import { type Cause, callersOf, type Operator, oneOf } from "../fault.ts";
import type { RunningSystem } from "../running-system.ts";
import type { Topology } from "../topology.ts";
import type { Mood } from "../world.ts";

/** A database or a third party, and the services that depend on it. */
interface Dependency {
  readonly name: string;
  readonly kind: "database" | "party";
  readonly cause: Cause;
}

function dependenciesOf({ services, parties }: Topology): Dependency[] {
  const databases = services.flatMap(({ name, reports, database }) =>
    database && reports ? [{ services: [name], ...database, name: database.host, kind: "database" as const }] : [],
  );
  const called = parties.map((party) => ({
    ...party,
    kind: "party" as const,
    services: callersOf(party.name, services)
      .filter(({ reports }) => reports)
      .map(({ name }) => name),
  }));
  return [...databases, ...called]
    .filter((one) => one.services.length > 0)
    .map(({ name, kind, port, services: dependent }) => ({
      ...{ name, kind },
      cause: { services: dependent, dependency: `${name}:${port}`, release: null, hosts: null },
    }));
}

/** Something that a system depends on behaves otherwise. */
function dependency(
  name: string,
  kinds: readonly Dependency["kind"][],
  change: (system: RunningSystem, name: string, choice: Choice) => void,
): Operator {
  return {
    name,
    family: "dependency",
    plan(topology, choice) {
      const found = oneOf(
        dependenciesOf(topology).filter(({ kind }) => kinds.includes(kind)),
        choice,
      );
      return found && { cause: found.cause, inject: ({ system }) => change(system, found.name, choice) };
    },
  };
}

function mood(name: string, kinds: readonly Dependency["kind"][], to: Mood): Operator {
  return dependency(name, kinds, (system, which) => system.turn(which, to));
}

const both = ["database", "party"] as const;
const party = ["party"] as const;

/** Failures of what a system depends on. */
export const dependencies: readonly Operator[] = [
  dependency("down", both, (system, which) => system.cutOff(which, "down")),
  dependency("name-gone", both, (system, which) => system.cutOff(which, "gone")),
  mood("slow", both, "slow"),
  mood("failing", both, "failing"),
  mood("credential-revoked", both, "refusing"),
  mood("limiting", both, "limiting"),
  mood("page-instead", party, "page"),
  mood("answer-without-field", party, "without-field"),
  mood("answer-with-text", party, "text-field"),
  mood("resetting", both, "resetting"),
];
