import {
  type ServiceFeatures,
  type ServiceWeights,
  shippedServiceModel,
  type WeighedSuspects,
} from "@whence/engine/ranking";

/** A reason to suspect something: the weights that it is made of, by name, and what else it depends on, 0 to 1. */
interface Sign {
  /** Of those with the same source, one counts. */
  readonly source: string;
  readonly names: readonly string[];
  readonly strength: number;
}

/** A suspect and what speaks against it. */
export interface SuspectSigns {
  readonly kind: "own" | "service" | "dependency";
  /** Null for a host at which no service is known to answer. */
  readonly service: string | null;
  readonly host: string | null;
  readonly signs: readonly Sign[];
}

/** The tables of weights, by the name that their entries begin with. */
type Tables = Readonly<Record<string, Readonly<Record<string, number>>>>;

function tablesOf({ telemetry, outside }: ServiceWeights): Tables {
  const { worth, factors, failed, calledProblem, announcedProblem } = outside;
  return { telemetry, worth, factors, failed, calledProblem, announcedProblem };
}

function weightsOf(tables: Tables): ServiceWeights {
  const { telemetry, ...outside } = tables;
  return { telemetry, outside } as unknown as ServiceWeights;
}

/** By how much a weight is changed to see what depends on it. */
const step = 1e-4;

/**
 * What each suspect's reasons are made of. A reason is worth a product of weights and of what it depends on otherwise, so
 * which weights these are shows when each is changed in turn.
 */
export function suspectSigns({ service, weigh }: ServiceFeatures): SuspectSigns[] {
  const tables = tablesOf(shippedServiceModel().weights);
  const read = new Set<string>();
  const before = reasonsOf(weigh(weightsOf(watched(tables, read))));
  const changed = [...read].map((name) => ({
    name,
    value: weightNamed(tables, name),
    after: reasonsOf(weigh(weightsOf(withChanged(tables, name)))),
  }));
  const signs = before.map(({ source, weight }, at) => {
    const used = changed.filter(({ after }) => after[at] !== undefined && after[at].weight !== weight);
    const product = used.reduce((all, { value }) => all * value, 1);
    return { source, names: used.map(({ name }) => name), strength: product === 0 ? 0 : weight / product };
  });
  const { own, elsewhere } = weigh(weightsOf(tables));
  const suspects = [...own, ...elsewhere];
  const signsOf = (suspect: WeighedSuspects["own"][number]): Sign[] => {
    const earlier = suspects.slice(0, suspects.indexOf(suspect)).flatMap(({ reasons }) => reasons).length;
    return signs.slice(earlier, earlier + suspect.reasons.length).filter(({ names }) => names.length > 0);
  };
  return [
    { kind: "own", service, host: null, signs: own.flatMap(signsOf) },
    ...elsewhere.map((suspect): SuspectSigns => {
      const { subject, service: suspected } = suspect;
      const host = subject.kind === "dependency" ? subject.name : null;
      return { kind: host === null ? "service" : "dependency", service: suspected, host, signs: signsOf(suspect) };
    }),
  ];
}

function reasonsOf({ own, elsewhere }: WeighedSuspects) {
  return [...own, ...elsewhere].flatMap(({ reasons }) => reasons);
}

/** Notes the name of each weight that is read. */
function watched(tables: Tables, read: Set<string>): Tables {
  return Object.fromEntries(
    Object.entries(tables).map(([table, entries]) => [
      table,
      new Proxy(entries, {
        get(target, key) {
          if (typeof key === "string" && key in target) read.add(`${table} ${key}`);
          return Reflect.get(target, key);
        },
      }),
    ]),
  );
}

function weightNamed(tables: Tables, name: string): number {
  const [table = "", key = ""] = name.split(" ");
  return tables[table]?.[key] ?? 0;
}

function withChanged(tables: Tables, name: string): Tables {
  const [table = "", key = ""] = name.split(" ");
  return { ...tables, [table]: { ...tables[table], [key]: weightNamed(tables, name) * (1 + step) } };
}
