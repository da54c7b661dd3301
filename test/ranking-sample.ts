import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RcaCase, RecordedCase } from "../bench/rca/cases.ts";
import { type CorpusCase, readCorpus } from "../bench/rca/corpora/corpus-case.ts";
import { withTrees } from "../bench/rca/corpus-cases.ts";
import { inForms } from "../bench/rca/forms.ts";
import { ownCases } from "../bench/rca/own-case.ts";

/** Determines, together with the cases' names, which cases are in the sample. */
const seed = "2026-11-22";
const corpora = join(import.meta.dirname, "../bench/rca/corpora");
/** The numbers of groups (repositories and services) per corpus, and of cases per group. */
const sizes = {
  own: { groups: 50, cases: 1 },
  mined: { groups: 12, cases: 2 },
  packages: { groups: 12, cases: 2 },
  services: { groups: 30, cases: 2 },
} as const;

/**
 * A few cases of every corpus that this repository has in every form, the same ones each time. Some packages are fetched from npm;
 * services lie in this repository.
 *
 * @throws {AggregateError} when a package couldn't be fetched.
 */
export async function sampleCases(): Promise<RcaCase[]> {
  const mutants = readCorpus(join(corpora, "mutants"));
  const isFromNpm = ({ language }: CorpusCase): boolean => language === "javascript" || language === "typescript";
  const isStoredHere = ({ sources }: CorpusCase): boolean => sources.every(({ from }) => from.startsWith("services/"));
  const services = mutants.filter((one) => one.kind === "service" && isStoredHere(one));
  const packages = mutants.filter((one) => one.kind === "package" && isFromNpm(one));
  const mined = readCorpus(join(corpora, "mined")).filter(isFromNpm);
  const drawn: RecordedCase[] = [
    ...draw(ownCases(), sizes.own),
    ...(await withTrees([
      ...draw(mined, sizes.mined),
      ...draw(packages, sizes.packages),
      ...draw(services, sizes.services),
    ])),
  ];
  return inForms(drawn);
}

interface Drawn {
  readonly id: string;
  readonly group: string;
}

function draw<Case extends Drawn>(from: readonly Case[], { groups, cases }: { groups: number; cases: number }): Case[] {
  const byGroup = [...Map.groupBy(from, ({ group }) => group)].map(([id, members]) => ({ id, members }));
  return shuffled(byGroup)
    .slice(0, groups)
    .flatMap(({ members }) => shuffled(members).slice(0, cases));
}

function shuffled<Named extends { readonly id: string }>(named: readonly Named[]): Named[] {
  const placeOf = ({ id }: Named): string => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return named
    .map((one) => ({ one, place: placeOf(one) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ one }) => one);
}
