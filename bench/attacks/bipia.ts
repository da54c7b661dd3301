import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Attack, type Channel, channels } from "./attack.ts";
import { harmlessTwin } from "./harmless-text.ts";

const files = ["text_attack_test", "text_attack_train", "code_attack_test", "code_attack_train"] as const;
const attacksSchema = z.record(z.string(), z.array(z.string()));

/**
 * The attacks of BIPIA (microsoft/BIPIA, MIT), each in one channel after the other; null where its folder is missing.
 *
 * @param folder where answers and samples of others are kept, with a folder `bipia`.
 */
export function bipiaAttacks(folder: string): readonly Attack[] | null {
  const paths = files.map((file) => join(folder, "bipia", `${file}.json`));
  if (!paths.every((path) => existsSync(path))) return null;
  const texts = paths.flatMap((path) =>
    Object.entries(attacksSchema.parse(JSON.parse(readFileSync(path, "utf8")))).flatMap(([kind, all]) =>
      all.map((text) => ({ kind, text })),
    ),
  );
  return texts.map(({ kind, text }, index) => {
    const channel: Channel = channels[index % channels.length] ?? "ticket";
    return { name: `BIPIA, ${kind}`, technique: "instruction", channel, text, twin: harmlessTwin(text) };
  });
}
