import {
  checkInsTopic,
  type DeadLetter,
  failuresTopic,
  investigationsTopic,
  type Queue,
  type Topic,
  telemetryTopic,
  webhooksTopic,
} from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { parse } from "../http/validation.ts";

const topics = {
  telemetry: telemetryTopic,
  failures: failuresTopic,
  investigations: investigationsTopic,
  webhooks: webhooksTopic,
  "check-ins": checkInsTopic,
} as const;

const lettersDefault = 50;
/** The most letters that a request loads, because each may have a megabyte. */
const lettersMax = 200;
const lettersNamedMax = 1_000;
const excerptLength = 2_000;
/** Letters per step of a longer operation, because their bodies are in memory together. */
const lettersAtOnce = 32;

const topicSchema = z.enum(["telemetry", "failures", "investigations", "webhooks", "check-ins"]);
const listQuerySchema = z.object({
  topic: topicSchema,
  limit: z.coerce.number().int().min(1).max(lettersMax).default(lettersDefault),
});
const chosenSchema = z
  .object({
    topic: topicSchema,
    letters: z.array(z.string().min(1)).min(1).max(lettersNamedMax).optional(),
    all: z.literal(true).optional(),
  })
  .refine(({ letters, all }) => (letters === undefined) !== (all === undefined), {
    path: ["letters"],
    message: "either letters or all",
  });

/** A message that stays until someone redrives it. */
interface PresentedLetter {
  readonly letter: string;
  readonly id: string;
  readonly attempts: number;
  readonly reason: string;
  readonly buried_at: string;
  /** The body's size. */
  readonly bytes: number;
}

interface PresentedQueue {
  readonly topic: string;
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
  readonly oldest_at: string | null;
}

/** Routes that show the queue's waiting messages and dead letters, and settle dead letters. */
export function deadLetterRoutes(app: FastifyInstance, queue: Queue): void {
  app.get("/operator/queues", async (): Promise<{ queues: readonly PresentedQueue[] }> => {
    return { queues: await Promise.all(Object.values(topics).map((topic) => presentQueue(queue, topic))) };
  });

  app.get("/operator/dead-letters", async (request) => {
    const { topic, limit } = parse(listQuerySchema, request.query, "query");
    const letters = await queue.deadLetters(topics[topic], limit);
    return { letters: letters.map((letter) => ({ ...present(letter), excerpt: letter.body.slice(0, excerptLength) })) };
  });

  app.get<{ Params: Record<"topic" | "letter", string> }>("/operator/dead-letters/:topic/:letter", async (request) => {
    const { topic, letter } = request.params;
    const found = await findLetter(queue, topic, letter);
    if (found) return { ...present(found), body: found.body };
    throw analyzerErrors.create("WHENCE_ERR_DEAD_LETTER_UNKNOWN", [letter.slice(0, 60), topic.slice(0, 60)]);
  });

  for (const action of ["redrive", "discard"] as const) {
    app.post(`/operator/dead-letters/${action}`, async (request): Promise<{ letters: number }> => {
      const { topic: name, letters } = parse(chosenSchema, request.body, "body");
      const topic = topics[name];
      const settle = (some: readonly string[]): Promise<number> => queue[action](topic, some);
      const count = letters ? await settleNamed(letters, settle) : await settleAll(queue, topic, settle);
      request.log.info({ topic: name, action, letters: count }, "an operator settled dead letters");
      return { letters: count };
    });
  }
}

/** Finds a letter among the newest {@link lettersMax}, as many as a list shows: the queue has no lookup by id. */
async function findLetter(queue: Queue, topicName: string, wanted: string): Promise<DeadLetter | undefined> {
  const name = topicSchema.safeParse(topicName);
  if (!name.success) return undefined;
  for (const max of [lettersAtOnce, lettersMax]) {
    const letters = await queue.deadLetters(topics[name.data], max);
    const found = letters.find(({ letter }) => letter === wanted);
    if (found) return found;
  }
  return undefined;
}

/** Settles letters of the topic and returns how many there were. */
type Settle = (letters: readonly string[]) => Promise<number>;

async function settleNamed(letters: readonly string[], settle: Settle): Promise<number> {
  let count = 0;
  for (let from = 0; from < letters.length; from += lettersAtOnce) {
    count += await settle(letters.slice(from, from + lettersAtOnce));
  }
  return count;
}

/**
 * Settles the letters that are dead now, step by step, and none that die in the meantime, perhaps for the second time. The
 * queue lists the newest first, so this ends early when {@link lettersMax} died in the meantime, which hide the others.
 */
async function settleAll(queue: Queue, topic: Topic, settle: Settle): Promise<number> {
  const [newest] = await queue.deadLetters(topic, 1);
  if (!newest) return 0;
  const { dead } = await queue.depth(topic);
  let count = 0;
  let seen = 0;
  let diedMeanwhile = 0;
  while (seen < dead) {
    const max = Math.min(diedMeanwhile + lettersAtOnce, lettersMax);
    const listed = await queue.deadLetters(topic, max);
    const chosen = listed.filter(({ buriedAt }) => Date.parse(buriedAt) <= Date.parse(newest.buriedAt));
    diedMeanwhile = listed.length - chosen.length;
    if (chosen.length === 0 && (listed.length < max || max === lettersMax)) break;
    seen += chosen.length;
    count += await settleNamed(
      chosen.map(({ letter }) => letter),
      settle,
    );
  }
  return count;
}

function present({ letter, id, attempts, reason, buriedAt, body }: DeadLetter): PresentedLetter {
  return { letter, id, attempts, reason, buried_at: buriedAt, bytes: Buffer.byteLength(body) };
}

async function presentQueue(queue: Queue, topic: Topic): Promise<PresentedQueue> {
  const { pending, held, dead, oldestAt } = await queue.depth(topic);
  return { topic: topic.name, pending, held, dead, oldest_at: oldestAt };
}
