import { minuteMs } from "@whence/protocol";
import type { Choice } from "../choice.ts";
import { callersOf, causedBy, type Operator, oneOf, someHosts } from "../fault.ts";
import type { RunningSystem } from "../running-system.ts";
import type { ServicePlan, Topology } from "../topology.ts";

function called(topology: Topology): ServicePlan[] {
  return topology.services.filter(({ name }) => callersOf(name, topology.services).some(({ reports }) => reports));
}

/** Rows and requests that the code wasn't made for. */
export const data: readonly Operator[] = [
  {
    name: "bad-rows",
    family: "data",
    plan({ services }, choice) {
      const service = oneOf(
        services.filter(({ database, reports }) => database !== null && reports),
        choice,
      );
      const database = service?.database;
      return service && database
        ? { cause: causedBy(service), inject: ({ system }) => system.turn(database.host, "bad-rows") }
        : null;
    },
  },
  ...(["text-quantity", "without-id"] as const).map(
    (asking): Operator => ({
      name: `input-${asking}`,
      family: "data",
      plan({ services: [entry] }) {
        if (!entry) return null;
        return {
          cause: causedBy(entry),
          inject({ customers }) {
            customers.habit = { asking, share: 0.4 };
          },
        };
      },
    }),
  ),
];

const rushMin = 100;
const rushMax = 140;

/** More requests than a service has connections for. */
export const load: readonly Operator[] = [
  {
    name: "rush",
    family: "load",
    plan({ services }, choice) {
      const service = oneOf(
        services.filter(({ database, reports, poolSize }) => database !== null && reports && poolSize <= 6),
        choice,
      );
      const database = service?.database;
      if (!service || !database) return null;
      return {
        cause: causedBy(service),
        inject({ system, customers, conductor }) {
          system.turn(database.host, "strained");
          for (const second of [0, 30])
            customers.rush(conductor.now + 1_000 * second, choice.between(rushMin, rushMax) / 2);
        },
      };
    },
  },
];

type Harm = (system: RunningSystem, host: string) => void;

function host(name: string, candidates: (topology: Topology) => ServicePlan[], harm: Harm): Operator {
  return {
    name,
    family: "host",
    plan(topology, choice) {
      const service = oneOf(candidates(topology), choice);
      if (!service) return null;
      const hosts = someHosts(service, choice, 0.6);
      return {
        cause: causedBy(service, { hosts }),
        inject({ system }) {
          for (const one of hosts) harm(system, one);
        },
      };
    },
  };
}

/** Processes and machines. */
export const hosts: readonly Operator[] = [
  host(
    "full-disk",
    ({ services }) => services.filter(({ hasJournal, reports }) => hasJournal && reports),
    (system, one) => system.fillDisk(one),
  ),
  host("killed", called, (system, one) => system.kill(one)),
  host("hung", called, (system, one) => system.hang(one)),
];

/** Clocks that are off. */
export const clocks: readonly Operator[] = [
  {
    name: "skewed",
    family: "clock",
    plan({ services }, choice) {
      const service = oneOf(
        services.filter(({ signs, calls }) => signs && calls.length > 0),
        choice,
      );
      if (!service) return null;
      const affected = someHosts(service, choice, 0.6);
      const ms = skewOf(choice);
      return {
        cause: causedBy(service, { hosts: affected }),
        inject({ system }) {
          for (const one of affected) system.skew(one, ms);
        },
      };
    },
  },
];

function skewOf(choice: Choice): number {
  return (choice.chance(0.5) ? 1 : -1) * choice.between(1, 12) * minuteMs;
}
