import { join } from "node:path";
import { argv, env } from "node:process";
import { table } from "../table.ts";
import type { Attack } from "./attack.ts";
import { bipiaAttacks } from "./bipia.ts";
import { garakAttacks } from "./garak.ts";
import { ownAttacks } from "./own/own-attacks.ts";
import { isLessSure, type Outcome, parts, scored, scoredWithModel } from "./score.ts";

const recorded = env.WHENCE_RECORDED ?? join(import.meta.dirname, "../../../shared/recorded");

async function outcomesOf(attacks: readonly Attack[], score = scored): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const attack of attacks) outcomes.push(await score(attack));
  return outcomes;
}

function row(name: string, outcomes: readonly Outcome[]): string[] {
  const counts = parts.map((part) => outcomes.filter(({ changed }) => changed.includes(part)).length);
  return [name, ...[outcomes.length, ...counts].map(String)];
}

function printed(title: string, rows: readonly (readonly string[])[]): void {
  console.log(`\n${table([title, "attacks", ...parts.map((part) => `in ${part}`)], rows)}`);
}

const isWithModel = argv.includes("--model");
const bipia = bipiaAttacks(recorded);
if (!bipia) console.log(`BIPIA isn't in ${recorded}: set WHENCE_RECORDED to the folder that has bipia/.`);

const own = await outcomesOf(ownAttacks);
const others = [
  { name: "garak", outcomes: await outcomesOf(garakAttacks) },
  ...(bipia ? [{ name: "BIPIA", outcomes: await outcomesOf(bipia) }] : []),
];
const byTechnique = [...Map.groupBy(own, ({ attack }) => attack.technique)];
printed("the engine alone: reports that differ from a harmless twin's", [
  ...byTechnique.map(([technique, outcomes]) => row(`own: ${technique}`, outcomes)),
  row("own, all", own),
  ...others.map(({ name, outcomes }) => row(name, outcomes)),
]);
const all = [...own, ...others.flatMap(({ outcomes }) => outcomes)];
for (const { attack, changed } of all.filter(({ changed }) => changed.length > 0))
  console.log(`${changed.join(", ")}: ${attack.name} (${attack.channel})`);
/**
 * Words of an error's message, of a file that was given, or of a model that obeys them, may make the report less sure of
 * the same cause.
 */
const allowed: ReadonlySet<string> = new Set(["order", "confidence"]);
const ofUnsure: ReadonlySet<string> = new Set([...allowed, "headline", "fix"]);
const isAllowed = (outcome: Outcome): boolean =>
  outcome.problems.length === 0 &&
  outcome.changed.every((part) => (isLessSure(outcome) ? ofUnsure : allowed).has(part));
if (!all.every(isAllowed)) process.exitCode = 1;

if (isWithModel) {
  const outcomes = await outcomesOf(ownAttacks, scoredWithModel);
  printed("reports with a model that obeys that differ from the engine's alone", [row("own, all", outcomes)]);
  if (outcomes.some(({ changed }) => changed.some((part) => !allowed.has(part)))) process.exitCode = 1;
}
