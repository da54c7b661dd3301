import { z } from "zod";
import { count, inlineCode, percent } from "../../words/prose.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";

const concentrationSchema = z
  .object({
    dimension: z.enum(["host", "instance", "route", "runtime", "user agent", "upstream"]),
    value: z.string(),
    failing: z.number(),
    of: z.number(),
    /** Its share of ordinary traffic, from 0 to 1. */
    expected: z.number(),
    /** The probability of this by chance, corrected for the number of values. */
    chance: z.number(),
  })
  .readonly();

/** A value that is more frequent among the failures than in ordinary traffic. */
export type Concentration = z.output<typeof concentrationSchema>;

export const concentration = factKind({
  name: "concentration",
  means: "A host, process, route, runtime, user agent, or upstream that has more of the failures than its share",
  data: z.object({ concentration: concentrationSchema }),
  example: {
    concentration: { dimension: "host", value: "host-2", failing: 18, of: 20, expected: 0.25, chance: 0.0001 },
  },
  evidence: ({ concentration: { dimension, value, failing, of, expected, chance } }) => {
    const usual =
      dimension === "host" || dimension === "instance"
        ? `which runs ${percent(expected)} of the service`
        : `which has ${percent(expected)} of the service's other failures`;
    const rarity = chance < 1e-6 ? "less than one in a million" : `1 in ${Math.round(1 / chance)}`;
    return `${failing} of ${count(of, "failure")} (${percent(failing / of)}) ${wheres[dimension]} ${inlineCode(value)}, ${usual}; odds of chance: ${rarity}`;
  },
  figures: ({ concentration: { failing, of, expected, chance } }) => [
    percent(failing / of),
    percent(expected),
    Math.round(1 / chance),
  ],
  isComputed: true,
  problems: ({ concentration: { failing, of } }) => partOfWhole(failing, of),
  isMoment: () => false,
  weights: ["oneHost"],
  reason: (data, { own, worth }) =>
    isOfProcesses(data) ? { service: own, weight: worth.oneHost, category: null } : null,
  predicts: ({ concentration: { dimension } }) => (dimension === "host" ? ["only-on-host"] : []),
});

/** Returns whether the failures are concentrated on some of the service's own processes. */
export function isOfProcesses({ concentration: { dimension } }: { readonly concentration: Concentration }): boolean {
  return ofProcesses.has(dimension);
}

/** Dimensions of the service's processes, rather than of their requests and calls. */
const ofProcesses: ReadonlySet<Concentration["dimension"]> = new Set(["host", "instance", "runtime"]);

const wheres = {
  host: "are on host",
  instance: "are in process",
  route: "are on route",
  "user agent": "come from user agent",
  runtime: "run on",
  upstream: "follow calls to",
} as const;
