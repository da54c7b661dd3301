import type { Choice } from "../choice.ts";
import { urlVariable } from "../code-change.ts";
import { causedBy, type Operator, oneOf, someHosts } from "../fault.ts";
import type { Settings } from "../running-system.ts";
import type { ServicePlan, Topology } from "../topology.ts";

/** How often only some hosts get the setting. */
const someShare = 0.25;

type MadeSettings = (service: ServicePlan, topology: Topology, choice: Choice) => Settings | null;

/** The same release, started again with other settings. */
function setting(name: string, fits: (service: ServicePlan) => boolean, make: MadeSettings): Operator {
  return {
    name,
    family: "setting",
    plan(topology, choice) {
      const service = oneOf(
        topology.services.filter((one) => one.reports && fits(one)),
        choice,
      );
      const settings = service && make(service, topology, choice);
      if (!service || !settings) return null;
      const hosts = someHosts(service, choice, someShare);
      return {
        cause: causedBy(service, { hosts: hosts.length < service.hosts.length ? hosts : null }),
        inject({ system }) {
          return system.replace(service, { ...system.versionOf(service), settings }, hosts);
        },
      };
    },
  };
}

function called({ calls, parties }: ServicePlan): { readonly to: string }[] {
  return [...calls, ...parties];
}

function hasCalls(service: ServicePlan): boolean {
  return called(service).length > 0;
}

/** Settings with a mistake in them. */
export const settings: readonly Operator[] = [
  setting("wrong-host", hasCalls, (service, _topology, choice) => {
    const { to } = choice.of(called(service));
    return { [urlVariable(to)]: `http://${to.split(".")[0]}-v2.internal:8080` };
  }),
  setting("wrong-port", hasCalls, (service, _topology, choice) => {
    const { to } = choice.of(called(service));
    return { [urlVariable(to)]: `http://${to}:${choice.between(9_000, 9_999)}` };
  }),
  setting(
    "wrong-callee",
    ({ calls }) => calls.length > 0,
    (service, { services }, choice) => {
      const { to } = choice.of(service.calls);
      const other = oneOf(
        services.filter(({ name }) => name !== to && name !== service.name),
        choice,
      );
      return other && { [urlVariable(to)]: `http://${other.name}:${other.port}` };
    },
  ),
  setting("missing-address", hasCalls, (service, _topology, choice) => ({
    [urlVariable(choice.of(called(service)).to)]: undefined,
  })),
  setting(
    "empty-pool",
    ({ database }) => database !== null,
    () => ({ POOL_SIZE: "" }),
  ),
  setting("short-timeout", hasCalls, () => ({ UPSTREAM_TIMEOUT_MS: "1" })),
  setting(
    "wrong-token",
    ({ parties }) => parties.length > 0,
    () => ({ PARTY_TOKEN: "test" }),
  ),
  setting(
    "wrong-password",
    ({ database }) => database !== null,
    () => ({ DATABASE_PASSWORD: "changeme" }),
  ),
  setting(
    "missing-volume",
    ({ hasJournal }) => hasJournal,
    () => ({ JOURNAL_FILE: "/var/lib/journal/volume/journal.txt" }),
  ),
];

/** Someone turns a feature on, of the release that runs. */
export const flags: readonly Operator[] = [
  {
    name: "flag-on",
    family: "setting",
    plan(topology, choice) {
      const service = oneOf(
        topology.services.filter(({ reports }) => reports),
        choice,
      );
      if (!service) return null;
      const mistake = choice.of(["reads-missing-member", "rejects-valid", "rare-input", "index-beyond"] as const);
      return {
        cause: causedBy(service),
        inject: ({ system }) => system.replace(service, { ...system.versionOf(service), change: { mistake } }),
      };
    },
  },
];
