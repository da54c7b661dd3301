import { z } from "zod";
import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { operatorOf } from "./operator.ts";

type Of<Name extends Command["name"]> = Extract<Command, { name: Name }>;

const letterSchema = z.object({
  letter: z.string(),
  id: z.string(),
  attempts: z.int(),
  reason: z.string(),
  buried_at: z.string(),
  bytes: z.int(),
});
const listSchema = z.object({ letters: z.array(letterSchema) });
const changedSchema = z.object({ letters: z.int() });
const queuesSchema = z.object({
  queues: z.array(
    z.object({
      topic: z.string(),
      pending: z.int(),
      held: z.int(),
      dead: z.int(),
      oldest_at: z.string().nullable(),
    }),
  ),
});

/** Lists, republishes, or deletes dead letters. */
export async function deadLetters(config: Config, command: Of<"dead-letters">): Promise<readonly string[]> {
  const { action, topic, letters, limit, url } = command;
  const operator = await operatorOf(config, url);
  if (action === "list") {
    const query = new URLSearchParams({ topic, limit: String(limit) });
    const answer = listSchema.parse(await (await operator.ask("GET", `/dead-letters?${query}`)).json());
    if (answer.letters.length === 0) return [`no dead letters on ${topic}`];
    return answer.letters.map(
      ({ letter, id, attempts, reason, buried_at, bytes }) =>
        `${letter}  ${buried_at}  ${attempts} attempts  ${bytes} bytes  ${oneLine(reason)}  (${id})`,
    );
  }
  const chosen = letters === "all" ? { topic, all: true } : { topic, letters };
  const answer = changedSchema.parse(await (await operator.ask("POST", `/dead-letters/${action}`, chosen)).json());
  return [`${action === "redrive" ? "published again" : "thrown away"}: ${answer.letters}`];
}

/** Prints the number and age of waiting messages on each topic. */
export async function queues(config: Config, { url }: Of<"queues">): Promise<readonly string[]> {
  const operator = await operatorOf(config, url);
  const answer = queuesSchema.parse(await (await operator.ask("GET", "/queues")).json());
  return answer.queues.map(
    ({ topic, pending, held, dead, oldest_at }) =>
      `${topic.padEnd(16)} ${pending} waiting, ${held} held, ${dead} dead${oldest_at ? `, the oldest from ${oldest_at}` : ""}`,
  );
}

/** Makes one line of a reason, which comes from outside and may contain anything. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, " ");
}
