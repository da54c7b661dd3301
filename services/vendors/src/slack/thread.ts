import type { Severity } from "@whence/protocol";
import { z } from "zod";
import { readEveryPage } from "../http/read-pages.ts";
import { severityFrom } from "../text/severity-words.ts";
import { messageTextSchema, textOf } from "./message-text.ts";
import type { SlackWebApi } from "./web-api.ts";

const perPage = 200;
const severityPattern = /^\W*(?:severity|priority|level)\W{1,5}([\w-]{1,20})/im;

const messageSchema = z.object({
  ...messageTextSchema.shape,
  ts: z.string(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  metadata: z
    .object({ event_payload: z.object({ key: z.string().nullish() }) })
    .nullish()
    .catch(null),
});
type SlackMessage = z.infer<typeof messageSchema>;

/** https://docs.slack.dev/reference/methods/conversations.replies */
const repliesSchema = z.object({
  messages: z.array(messageSchema),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

/** A thread in a channel, identified by the time of its first message. */
export interface ThreadPlace {
  readonly channel: string;
  readonly thread_ts: string;
}

/**
 * Reads the first messages of a thread that aren't older than `from`, the oldest first; the thread's own first one is
 * always included.
 */
export async function readThread(
  api: SlackWebApi,
  { channel, thread_ts: ts }: ThreadPlace,
  signal: AbortSignal,
  from?: string,
): Promise<readonly SlackMessage[]> {
  const since = from === undefined ? {} : { oldest: from, inclusive: "true" };
  const read = async (cursor: string | null) => {
    const page = { limit: perPage, cursor: cursor ?? undefined };
    const query = { channel, ts, include_all_metadata: "true", ...since, ...page };
    const { body } = await api.call("conversations.replies", { query, schema: repliesSchema }, signal);
    return { items: body.messages, next: body.response_metadata?.next_cursor || null };
  };
  return (await readEveryPage(read)).items;
}

/** Returns what people and other bots say, without mentions of the bot. */
export function saidIn(messages: readonly SlackMessage[], botUserId: string): readonly string[] {
  return messages
    .filter(({ user }) => user !== botUserId)
    .map((message) => textOf(message).replaceAll(`@${botUserId}`, "").trim())
    .filter((text) => text !== "");
}

/** Returns the severity in the first text that names one; null when none does. */
export function severityIn(texts: readonly string[]): Severity | null {
  return severityFrom(...texts.map((text) => severityPattern.exec(text)?.[1]));
}
