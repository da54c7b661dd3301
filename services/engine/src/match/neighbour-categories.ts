import type { Observation, ParsedException } from "../findings/findings.ts";
import type { NeighbourFailure } from "../findings/telemetry-facts.ts";
import { SourceText } from "../source/source-text.ts";
import { standsAlone } from "../source/stands-alone.ts";
import { matchSignatures } from "./match.ts";

/** Adds to each neighbor's failure the category of the signature it matches. */
export function withNeighbourCategories(observations: readonly Observation[]): Observation[] {
  return observations.map((observation) => {
    const { fact } = observation;
    if (fact?.kind !== "neighbour-failure") return observation;
    const [known] = matchSignatures({ ...nothing, exceptions: [exceptionOf(fact.failure)], chain: [0] });
    const category = known?.signature.category ?? null;
    return { ...observation, fact: { ...fact, failure: { ...fact.failure, category } } };
  });
}

const nothing = { chosenBecause: null, records: [], alert: null, headline: "", sources: [], unread: [] };

function exceptionOf({ error: { type, message, code }, message: said }: NeighbourFailure): ParsedException {
  const source = new SourceText("telemetry", "a neighbour's failure", said);
  return {
    ...{ type, message, properties: code === null ? {} : { code }, frames: [], parent: null, relation: null },
    ...{ source, printed: { start: 0, end: said.length }, throwSite: null, fatal: false },
    ...{ language: "javascript", level: null, repeats: 1, standing: standsAlone },
  };
}
