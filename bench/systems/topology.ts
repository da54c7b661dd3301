import { randomNumbers } from "../faults/random.ts";
import { Choice } from "./choice.ts";
import { fieldNames, partyNames, serviceNames } from "./vocabulary.ts";

/** A field of an answer: an object with a value and a unit. */
export type FieldName = (typeof fieldNames)[number];

/** A call that a service makes for each request, and the field that it reads of the answer. */
export interface CallPlan {
  readonly to: string;
  readonly field: FieldName;
}

/** How a service tells that a call of its own failed. */
export type UpstreamFailure = "captured" | "logged" | "passed-on";

/** A service of a system. */
export interface ServicePlan {
  readonly name: string;
  /** What it answers about, in the singular. */
  readonly noun: string;
  readonly port: number;
  readonly address: string;
  /** One process on each. */
  readonly hosts: readonly string[];
  readonly fields: readonly FieldName[];
  readonly calls: readonly CallPlan[];
  /** Third parties that it calls. */
  readonly parties: readonly CallPlan[];
  /** Its database; null without one. */
  readonly database: DatabasePlan | null;
  /** Whether it writes a journal to its machine's disk. */
  readonly hasJournal: boolean;
  /** Whether its requests say when they were made. */
  readonly signs: boolean;
  readonly onUpstreamFailure: UpstreamFailure;
  /** Whether the client runs in it. */
  readonly reports: boolean;
  /** Whether its code is known. */
  readonly hasSources: boolean;
  readonly poolSize: number;
  readonly timeoutMs: number;
  readonly release: string;
}

/** A database: a server that answers lines. */
export interface DatabasePlan {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** A third party: an HTTP server that reports nothing. */
export interface PartyPlan {
  readonly name: string;
  readonly noun: string;
  readonly port: number;
  readonly address: string;
  readonly fields: readonly FieldName[];
}

/** A system: services in an order in which each is called only by those before it. */
export interface Topology {
  readonly seed: number;
  readonly services: readonly ServicePlan[];
  readonly parties: readonly PartyPlan[];
  /** Whether requests carry their trace. */
  readonly isTraced: boolean;
  readonly usesFetch: boolean;
  /** Kinds of third parties that are connected; empty: none. */
  readonly vendors: readonly string[];
}

const servicesMin = 3;
const servicesMax = 12;
const partiesMax = 3;
const fieldsPerAnswer = 3;

/** The system of a seed; the same one for the same seed. */
export function topologyOf(seed: number): Topology {
  const choice = new Choice(randomNumbers(seed * 7_919 + 13));
  const count = Math.min(choice.between(servicesMin, servicesMax), choice.between(servicesMin, servicesMax + 3));
  const names = choice.some(serviceNames, count);
  const parties = choice.some(partyNames, choice.between(1, partiesMax)).map(
    ([name, noun], index): PartyPlan => ({
      ...{ name, noun, port: 443 + index, address: `203.0.113.${10 + index}` },
      fields: choice.some(fieldNames, fieldsPerAnswer),
    }),
  );
  const answers = names.map(() => choice.some(fieldNames, fieldsPerAnswer));
  const depths = depthsOf(count, choice);
  const services = names.map(([name, noun], index): ServicePlan => {
    const callees = calleesOf(index, depths, choice);
    return {
      ...{ name, noun, port: 8_000 + choice.between(0, 99), address: `10.0.${index + 1}.${choice.between(2, 250)}` },
      hosts: hostsOf(name, choice),
      fields: answers[index] ?? [],
      calls: callees.flatMap((to) => callOf(names[to]?.[0], answers[to], choice)),
      parties: choice.chance(0.35)
        ? [choice.of(parties)].flatMap((party) => callOf(party.name, party.fields, choice))
        : [],
      database: choice.chance(0.6) ? databaseOf(name, index, choice) : null,
      hasJournal: choice.chance(0.3),
      signs: choice.chance(0.4),
      onUpstreamFailure: choice.of(["captured", "captured", "captured", "captured", "logged", "passed-on"] as const),
      reports: index === 0 || choice.chance(0.92),
      hasSources: choice.chance(0.6),
      ...{ poolSize: choice.between(4, 10), timeoutMs: choice.of([1_000, 2_000, 3_000, 5_000]) },
      release: `${choice.between(1, 9)}.${choice.between(0, 30)}.${choice.between(0, 9)}`,
    };
  });
  return {
    ...{ seed, services: withParty(services, parties, choice), parties },
    isTraced: choice.chance(0.75),
    usesFetch: choice.chance(0.35),
    vendors: choice.chance(0.7) ? choice.some(["pipeline", "monitor", "cluster", "flags", "edge"], 3) : [],
  };
}

/** How far from the entry each service is; the first is the entry. */
function depthsOf(count: number, choice: Choice): number[] {
  const deepest = Math.min(4, count - 1);
  return Array.from({ length: count }, (_, index) => (index === 0 ? 0 : Math.min(index, choice.between(1, deepest))))
    .toSorted((left, right) => left - right)
    .map((depth, index, all) => Math.min(depth, (all[index - 1] ?? -1) + 1));
}

/** Services that one calls: each service is called by one of the level above, and some by another one. */
function calleesOf(index: number, depths: readonly number[], choice: Choice): number[] {
  const depth = depths[index] ?? 0;
  const level = depths.flatMap((one, at) => (one === depth ? [at] : []));
  return depths.flatMap((one, at) => {
    if (one <= depth || at <= index) return [];
    const isParent = one === depth + 1 && level[at % level.length] === index;
    return isParent || choice.chance(0.08) ? [at] : [];
  });
}

function callOf(to: string | undefined, fields: readonly FieldName[] | undefined, choice: Choice): CallPlan[] {
  return to === undefined || !fields || fields.length === 0 ? [] : [{ to, field: choice.of(fields) }];
}

/** One process, or several on machines or in pods. */
function hostsOf(name: string, choice: Choice): string[] {
  const count = choice.of([1, 1, 1, 2, 2, 3]);
  const isPods = choice.chance(0.5);
  return Array.from({ length: count }, (_, index) =>
    isPods ? `${name}-${choice.hex(9)}-${choice.letters(5)}` : `${name}-${index + 1}`,
  );
}

function databaseOf(name: string, index: number, choice: Choice): DatabasePlan {
  const kind = choice.of([
    ["db", 5_432],
    ["mysql", 3_306],
    ["redis", 6_379],
  ] as const);
  return { host: `${name}-${kind[0]}`, port: kind[1], address: `10.1.${index + 1}.${choice.between(2, 250)}` };
}

/** Some service calls a third party. */
function withParty(services: ServicePlan[], parties: readonly PartyPlan[], choice: Choice): ServicePlan[] {
  const [party] = parties;
  if (!party || services.some((one) => one.parties.length > 0)) return services;
  const last = services.length - 1;
  return services.map((one, index) =>
    index === last ? { ...one, parties: callOf(party.name, party.fields, choice) } : one,
  );
}
