import { noLogContext } from "../findings/log-context.ts";
import type { Observation } from "../findings/observation.ts";
import type { ParsedException } from "../findings/parsed-error.ts";
import type { RelatedFailure } from "../signals/facts/related-failure.ts";
import { SourceText } from "../source/source-text.ts";
import { matchSignatures } from "./match.ts";

/** Adds to each related failure the category of the signature it matches. */
export function withRelatedCategories(observations: readonly Observation[]): Observation[] {
  return observations.map((observation) => {
    const { fact } = observation;
    if (fact?.kind !== "related-failure") return observation;
    const [known] = matchSignatures({ ...nothing, exceptions: [exceptionOf(fact.failure)], chain: [0] });
    const category = known?.signature.category ?? null;
    return { ...observation, fact: { ...fact, failure: { ...fact.failure, category } } };
  });
}

const nothing = { chosenBecause: null, records: [], alert: null, headline: "", sources: [], unread: [] };

function exceptionOf({ error: { type, message, code }, message: said }: RelatedFailure): ParsedException {
  const source = new SourceText("telemetry", "a related failure", said);
  return {
    type,
    message,
    properties: code === null ? {} : { code },
    frames: [],
    parent: null,
    relation: null,
    source,
    printed: { start: 0, end: said.length },
    throwSite: null,
    fatal: false,
    language: null,
    level: null,
    repeats: 1,
    logContext: noLogContext,
  };
}
