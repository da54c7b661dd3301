import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { applyLineEdits, filesOfSource } from "../corpora/case-files.ts";
import { type CorpusCase, corpusCase } from "../corpora/corpus-case.ts";
import { type Mutation, shuffled, toLineEdits } from "../mutate/mutation.ts";
import { go } from "./go.ts";
import { type Ecosystem, type Host, readHosts } from "./host.ts";
import { caseOf } from "./judge.ts";
import { mutableFile } from "./mutations.ts";

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    /** Records hosts of this language only. */
    language: { type: "string" },
    /** Cases for each host. */
    cases: { type: "string", default: "8" },
    /** Runs for each host. */
    tries: { type: "string", default: "24" },
  },
});
const casesMax = Number(options.cases);
const triesMax = Number(options.tries);
/** Cases of one mistake, of those that no stack leads to, and of those that threw themselves, which tell the least. */
const sharesMax = { operator: 0.25, offStack: 0.6, top: 0.4 };
const output = join(import.meta.dirname, "../corpora/tested");
const ecosystems: Readonly<Record<Host["language"], Ecosystem>> = { go };

for (const host of readHosts().filter(isWanted)) {
  try {
    await record(host);
  } catch (error) {
    console.error(`${host.name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

function isWanted({ language, name }: Host): boolean {
  return wanted.length > 0 ? wanted.includes(name) : options.language === undefined || options.language === language;
}

async function record(host: Host): Promise<void> {
  const ecosystem = ecosystems[host.language];
  const folder = await ecosystem.layOut(host);
  const healthy = await ecosystem.run(host, folder);
  if (healthy.code !== 0 || ecosystem.failureIn(healthy) !== undefined)
    throw new Error(`fails without a mutation: ${healthy.stdout}${healthy.stderr}`.slice(0, 2000));
  const kept: CorpusCase[] = [];
  let tries = 0;
  for (const site of await sitesOf(host, folder, ecosystem)) {
    if (kept.length >= casesMax || tries >= triesMax) break;
    if (countOf(kept, ({ operator }) => operator === site.mutation.operator) >= casesMax * sharesMax.operator) continue;
    tries++;
    const found = await tryMutation(host, folder, site, ecosystem);
    if (found && isNew(found, kept)) kept.push(found);
  }
  console.log(`${host.language} ${host.name}: ${kept.length} of ${tries} runs`);
  if (kept.length === 0) return;
  mkdirSync(join(output, host.language), { recursive: true });
  const lines = kept
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((one) => `${JSON.stringify(corpusCase.parse(one))}\n`);
  writeFileSync(join(output, host.language, `${host.name}.jsonl`), lines.join(""));
  rmSync(folder, { recursive: true, force: true });
}

interface Site {
  readonly file: string;
  readonly source: string;
  readonly mutation: Mutation;
}

/** Every mutation, one of each kind and then the next of each, in an order by their hashes. */
async function sitesOf(host: Host, folder: string, { isMutable }: Ecosystem): Promise<Site[]> {
  const files = filesOfSource(host, { folder: ".", from: host.from }).filter(isMutable);
  const sites: Site[] = [];
  for (const file of files) {
    const source = readFileSync(join(folder, file), "utf8");
    const { mutations } = await mutableFile(host.language, source);
    sites.push(...mutations.map((mutation) => ({ file, source, mutation })));
  }
  const counts = new Map<string, number>();
  const rounds = shuffled(sites, host.name, ({ file, mutation }) => file + JSON.stringify(mutation)).map((site) => {
    const round = counts.get(site.mutation.operator) ?? 0;
    counts.set(site.mutation.operator, round + 1);
    return { site, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ site }) => site);
}

async function tryMutation(
  host: Host,
  folder: string,
  { file, source, mutation }: Site,
  ecosystem: Ecosystem,
): Promise<CorpusCase | undefined> {
  const edits = toLineEdits(source, mutation.edits).map((edit) => ({ file, ...edit }));
  const mutated = applyLineEdits(source, edits);
  writeFileSync(join(folder, file), mutated);
  try {
    const log = ecosystem.failureIn(await ecosystem.run(host, folder, file));
    return log === undefined ? undefined : await caseOf({ host, file, source, mutated, mutation, log });
  } finally {
    writeFileSync(join(folder, file), source);
  }
}

/** Keeps the cases of a host different. */
function isNew({ truth, log }: CorpusCase, kept: readonly CorpusCase[]): boolean {
  const isRoom = (share: number, holds: (one: CorpusCase) => boolean): boolean =>
    countOf(kept, holds) < casesMax * share;
  if (!truth.on_stack && !isRoom(sharesMax.offStack, (one) => !one.truth.on_stack)) return false;
  if (truth.depth === 0 && !isRoom(sharesMax.top, (one) => one.truth.depth === 0)) return false;
  return !kept.some(
    (one) => one.log === log || (one.truth.function === truth.function && one.truth.file === truth.file),
  );
}

function countOf(cases: readonly CorpusCase[], holds: (one: CorpusCase) => boolean): number {
  return cases.filter(holds).length;
}
