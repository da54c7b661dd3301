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

type Table = Readonly<Record<string, number>>;
/** Returns a table of weights, or another one with the same names. */
type Change = <Names extends Table>(table: Names, name: string) => Names;

/** Changes every table of weights. Its name is what the names of its weights begin with. */
function withTables({ telemetry, outside }: ServiceWeights, change: Change): ServiceWeights {
  const { worth, factors, failed, calledProblem, announcedProblem } = outside;
  return {
    telemetry: change(telemetry, "telemetry"),
    outside: {
      worth: change(worth, "worth"),
      factors: change(factors, "factors"),
      failed: change(failed, "failed"),
      calledProblem: change(calledProblem, "calledProblem"),
      announcedProblem: change(announcedProblem, "announcedProblem"),
    },
  };
}

/** By how much a weight is changed to see what depends on it. */
const step = 1e-4;

/**
 * What each suspect's reasons are made of. A reason is worth a product of weights and of what it depends on otherwise, so
 * which weights these are shows when each is changed in turn.
 */
export function suspectSigns({ service, weigh }: ServiceFeatures): SuspectSigns[] {
  const { weights } = shippedServiceModel();
  const read = new Map<string, number>();
  const before = reasonsOf(weigh(watched(weights, read)));
  const changed = [...read].map(([name, value]) => ({
    ...{ name, value },
    after: reasonsOf(weigh(withChanged(weights, name))),
  }));
  const signs = before.map(({ source, weight }, at) => {
    const used = changed.filter(({ after }) => after[at] !== undefined && after[at].weight !== weight);
    const product = used.reduce((all, { value }) => all * value, 1);
    return { source, names: used.map(({ name }) => name), strength: product === 0 ? 0 : weight / product };
  });
  const { own, elsewhere } = weigh(weights);
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

/** Notes the name and the value of each weight that is read. */
function watched(weights: ServiceWeights, read: Map<string, number>): ServiceWeights {
  return withTables(
    weights,
    (table, name) =>
      new Proxy(table, {
        get(target, key) {
          const value = typeof key === "string" ? target[key] : undefined;
          if (value !== undefined) read.set(`${name} ${String(key)}`, value);
          return value;
        },
      }),
  );
}

function withChanged(weights: ServiceWeights, changed: string): ServiceWeights {
  return withTables(weights, (table, name) => {
    const entries = Object.entries(table).map(
      ([key, value]) => [key, `${name} ${key}` === changed ? value * (1 + step) : value] as const,
    );
    return { ...table, ...Object.fromEntries(entries) };
  });
}
