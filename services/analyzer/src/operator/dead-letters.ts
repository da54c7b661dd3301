import {
  type DeadLetter,
  failuresTopic,
  investigationsTopic,
  type Queue,
  type Topic,
  telemetryTopic,
} from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { parse } from "../http/validation.ts";

const topics = { telemetry: telemetryTopic, failures: failuresTopic, investigations: investigationsTopic } as const;

const lettersDefault = 50;
/** Each may be of a megabyte. */
const lettersMax = 200;
const lettersNamedMax = 1_000;
const excerptLength = 2_000;
/** Letters that one call to the queue takes. */
const lettersAtOnce = 100;

const topicSchema = z.enum(["telemetry", "failures", "investigations"]);
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

/** A message that nobody will see again without help. */
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

/** What waits and what died in the queue, and what is to become of the dead. */
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
      const chosen = letters ?? (await allLetters(queue, topic)).map(({ letter }) => letter);
      const count = await inSteps(chosen, (some) => queue[action](topic, some));
      request.log.info({ topic: name, action, letters: count }, "an operator settled dead letters");
      return { letters: count };
    });
  }
}

async function findLetter(queue: Queue, topicName: string, wanted: string): Promise<DeadLetter | undefined> {
  const name = topicSchema.safeParse(topicName);
  return name.success
    ? (await allLetters(queue, topics[name.data])).find(({ letter }) => letter === wanted)
    : undefined;
}

/** Those that are dead now: what dies again while they are published again is not taken a second time. */
async function allLetters(queue: Queue, topic: Topic): Promise<readonly DeadLetter[]> {
  const { dead } = await queue.depth(topic);
  return dead === 0 ? [] : queue.deadLetters(topic, dead);
}

async function inSteps(
  letters: readonly string[],
  settle: (some: readonly string[]) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let from = 0; from < letters.length; from += lettersAtOnce) {
    count += await settle(letters.slice(from, from + lettersAtOnce));
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
