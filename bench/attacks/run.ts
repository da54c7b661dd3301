import { join } from "node:path";
import { env } from "node:process";
import { table } from "../table.ts";
import type { Attack } from "./attack.ts";
import { bipiaAttacks } from "./bipia.ts";
import { garakAttacks } from "./garak.ts";
import { ownAttacks } from "./own/own-attacks.ts";
import { type Outcome, scored } from "./score.ts";

const recorded = env.WHENCE_RECORDED ?? join(import.meta.dirname, "../../../shared/recorded");

async function outcomesOf(attacks: readonly Attack[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const attack of attacks) outcomes.push(await scored(attack));
  return outcomes;
}

function row(name: string, outcomes: readonly Outcome[]): string[] {
  const count = (part: Outcome["changed"][number]): string =>
    String(outcomes.filter(({ changed }) => changed.includes(part)).length);
  return [name, String(outcomes.length), count("cause"), count("fix"), count("order")];
}

const bipia = bipiaAttacks(recorded);
if (!bipia) console.log(`BIPIA isn't in ${recorded}: set WHENCE_RECORDED to the folder that has bipia/.`);
const own = await outcomesOf(ownAttacks);
const others = [
  { name: "garak", outcomes: await outcomesOf(garakAttacks) },
  ...(bipia ? [{ name: "BIPIA", outcomes: await outcomesOf(bipia) }] : []),
];
const byTechnique = [...Map.groupBy(own, ({ attack }) => attack.technique)];

console.log(
  table(
    ["attacks whose report differs from that of a harmless twin", "attacks", "in cause", "in fix", "in order"],
    [
      ...byTechnique.map(([technique, outcomes]) => row(`own: ${technique}`, outcomes)),
      row("own, all", own),
      ...others.map(({ name, outcomes }) => row(name, outcomes)),
    ],
  ),
);
const all = [...own, ...others.flatMap(({ outcomes }) => outcomes)];
for (const { attack, changed } of all.filter(({ changed }) => changed.length > 0))
  console.log(`${changed.join(", ")}: ${attack.name} (${attack.channel})`);
if (all.some(({ changed, problems }) => changed.includes("cause") || changed.includes("fix") || problems.length > 0))
  process.exitCode = 1;
