import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { isReserved } from "../corpora/reserved.ts";
import type { App } from "./app.ts";
import { measureCoverage, type Ran } from "./coverage.ts";
import { type Mutation, shuffled } from "./mutation.ts";
import type { FunctionIndex } from "./operators/functions.ts";
import { indexFunctions, javascriptMutations } from "./operators/javascript/mutations.ts";
import { indexPythonFunctions, pythonMutations } from "./operators/python/mutations.ts";
import { settingMutations } from "./operators/settings.ts";
import { type Owner, ownersOf } from "./owner.ts";

/** A mutation of a file, and information about the file. */
export interface Site {
  readonly file: string;
  readonly source: string;
  readonly mutation: Mutation;
  readonly functions: FunctionIndex | undefined;
  readonly sourcesOf: (files: readonly string[]) => CorpusCase["sources"];
}

export interface OwnedSites {
  readonly owner: Owner;
  readonly sites: readonly Site[];
}

const fileMaxBytes = 200_000;
/** Minified code has lines that are too long to read. */
const lineMaxCharacters = 1000;
const settingsFile = /(^|\/)\.env$|\.(json|ini|toml|ya?ml)$/;
const sitesPerFunctionAndOperator = 3;
/** Mistakes of running systems, which have few sites each and are tried this many times as often. */
const operational = new Set([
  "answer-field",
  "missing-setting",
  "wrong-setting",
  "missing-release",
  "shared-state",
  "drop-await",
  "swallow-error",
]);
/** Mistakes that are made only where the symptom may be elsewhere: their cases are kept apart, and train nothing. */
const untrained = new Set([
  "json-round-trip",
  "drop-copy",
  "shared-default",
  "ambiguous-pattern",
  "other-unit",
  "drop-lock",
  "wait-between",
  "tight-bound",
  "kept-credential",
]);
/** Mistakes that train the model, and that are made where the symptom is elsewhere as well. */
const remoteToo = new Set(["drop-await", "missing-release", "drop-guard"]);
const operationalShare = 4;
/** A mistake is small: one that spans more lines is another program. */
const mistakeMaxLines = 8;

/**
 * Returns every mutation worth trying in an app: of its packages for a driver, of itself for a service. `isRemote` asks
 * for the mistakes whose symptom is elsewhere, and for no others.
 */
export async function findSites(app: App, folder: string, isRemote: boolean): Promise<OwnedSites[]> {
  const ownerOf = ownersOf(app, folder);
  const covered = await measureCoverage(app, folder);
  if (app.kind === "service") for (const file of app.files) if (settingsFile.test(file)) covered.set(file, () => true);
  const found = new Map<string, { owner: Owner; sites: Site[] }>();
  for (const [file, ran] of covered) {
    const owner = ownerOf(file);
    if (owner === undefined || !isMutable(app, file, owner)) continue;
    const source = readFileSync(join(folder, file), "utf8");
    if (source.length > fileMaxBytes || source.split("\n").some((line) => line.length > lineMaxCharacters)) continue;
    const functions = functionsOf(file, source);
    const sourcesOf = (files: readonly string[]): CorpusCase["sources"] => sourcesOfFiles(files, ownerOf);
    const small = mutationsOf(file, source, ran).filter(
      (mutation) => isSmall(source, mutation) && isMade(mutation.operator, isRemote),
    );
    const sites = small.map((mutation) => ({ file, source, mutation, functions, sourcesOf }));
    const known = found.get(owner.name) ?? { owner, sites: [] };
    known.sites.push(...sites);
    found.set(owner.name, known);
  }
  return [...found.values()].map(({ owner, sites }) => ({ owner, sites: inTurn(sites, owner.name) }));
}

function isMade(operator: string, isRemote: boolean): boolean {
  return isRemote ? untrained.has(operator) || remoteToo.has(operator) : !untrained.has(operator);
}

function isMutable(app: App, file: string, owner: Owner): boolean {
  const isPackage = !app.files.includes(file);
  if (app.kind === "service") return !isPackage && file !== app.entry && !/(^|\/)package\.json$/.test(file);
  return isPackage && !isReserved(owner.name);
}

function mutationsOf(file: string, source: string, ran: Ran): Mutation[] {
  if (file.endsWith(".py")) return pythonMutations(file, source, ran);
  if (/\.([cm]?js|ts|json)$/.test(file)) return javascriptMutations(file, source, ran);
  return settingsFile.test(file) ? settingMutations(source) : [];
}

function isSmall(source: string, { edits }: Mutation): boolean {
  return edits.every(({ start, end }) => source.slice(start, end).split("\n").length <= mistakeMaxLines);
}

function functionsOf(file: string, source: string): FunctionIndex | undefined {
  if (file.endsWith(".py")) return indexPythonFunctions(source);
  return /\.([cm]?js|ts)$/.test(file) ? indexFunctions(file, source) : undefined;
}

function sourcesOfFiles(files: readonly string[], ownerOf: (file: string) => Owner | undefined): CorpusCase["sources"] {
  const owners = files.map(ownerOf).filter((owner) => owner !== undefined);
  const sources = new Map(owners.map(({ folder, from }) => [`${folder} ${from}`, { folder, from }]));
  return [...sources.values()].sort((left, right) => (left.from < right.from ? -1 : 1));
}

/** Alternates between operators, with few sites per function, in an order that depends only on the seed. */
function inTurn(sites: readonly Site[], seed: string): Site[] {
  const tried = new Map<string, number>();
  const rounds = new Map<string, number>();
  const ordered = shuffled(sites, seed, ({ file, mutation }) => file + JSON.stringify(mutation)).flatMap((site) => {
    const { operator, edits } = site.mutation;
    const around = site.functions?.atOffset(edits[0].start);
    const key = `${site.file} ${around?.name} ${around?.lineStart} ${operator}`;
    const before = tried.get(key) ?? 0;
    tried.set(key, before + 1);
    const often = operational.has(operator);
    if (!often && before >= sitesPerFunctionAndOperator) return [];
    const round = rounds.get(operator) ?? 0;
    rounds.set(operator, round + (often ? 1 / operationalShare : 1));
    return [{ site, round }];
  });
  return ordered.sort((left, right) => left.round - right.round).map(({ site }) => site);
}
