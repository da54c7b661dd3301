import { secondMs } from "@whence/protocol";
import { z } from "zod";
import type { Place } from "../alert-senders/announcement.ts";
import type {
  ConversationClient,
  ConversationStatus,
  ConversationVendor,
  Discussion,
  PostOptions,
} from "../conversations/conversation-vendor.ts";
import type { MessageDocument } from "../conversations/message-document.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { linkFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { addressOf, isFullMember, isShared } from "./audience.ts";
import { escaped } from "./block-kit.ts";
import { SlackRefusal } from "./refusals.ts";
import { renderMessage } from "./render-message.ts";
import { readThread, saidIn, severityIn } from "./thread.ts";
import { verifySlackApp } from "./verify-app.ts";
import { openSlackWebApi, type SlackWebApi } from "./web-api.ts";

/** The entered inputs, and those that `verify` added. */
const inputsSchema = z.object({ bot_token: z.string(), bot_user_id: z.string(), team_id: z.string() });

const placeSchema = z.object({ channel: z.string(), thread_ts: z.string(), ts: z.string() });
const askedSchema = z.object({ channel: z.string(), asker: z.string().optional() });

const pressedSchema = placeSchema.extend({ asker: z.string() });

/** https://docs.slack.dev/reference/methods/chat.postMessage and https://docs.slack.dev/reference/methods/chat.update */
const postedSchema = z.object({ ts: z.string() });
const permalinkSchema = z.object({ permalink: z.string() });
const doneSchema = z.object({});

const eventType = "whence_message";

/** Slack's emoji names by state. */
const reactions: Readonly<Record<ConversationStatus, string>> = {
  PROCESSING: "eyes",
  COMPLETED: "white_check_mark",
  FAILED: "x",
};

/** Slack threads, through an app that people created for this installation. */
export const slack: ConversationVendor = {
  open(inputs, context) {
    const { bot_token: token, bot_user_id: userId, team_id: team } = inputsSchema.parse(inputs);
    const api = openSlackWebApi({ token, credential: "bot token" }, context);
    const threads = new SlackThreads(api, userId);
    return {
      isPublic: (place, signal) => isShared(api, askedSchema.parse(place).channel, signal),
      async isAskedByMember(place, signal) {
        const { asker: id } = askedSchema.parse(place);
        return id !== undefined && isFullMember(api, { id, team }, signal);
      },
      acknowledge: ({ place }, message, options) => threads.post(place, message, options),
      read: (place, signal) => threads.read(place, signal),
      post: (place, message, options) => threads.post(place, message, options),
      start: (channel, message, options) => threads.start(channel, message, options),
      async confirmStop(place, message, options) {
        await threads.post(place, message, options);
      },
      show: (place, status, signal) => threads.show(place, status, signal),
      pressers: {
        addressOf: (place, signal) => addressOf(api, pressedSchema.parse(place).asker, signal),
        async tell(place, text, signal) {
          const { channel, thread_ts, asker: user } = pressedSchema.parse(place);
          const json = { channel, thread_ts, user, text: escaped(text) };
          await api.call("chat.postEphemeral", { json, schema: doneSchema, isUnrepeatable: true }, signal);
        },
      },
      close: () => api.close(),
    };
  },
  verify: verifySlackApp,
};

class SlackThreads implements Pick<ConversationClient, "read" | "start" | "post" | "show"> {
  readonly #api: SlackWebApi;
  readonly #botUserId: string;

  constructor(api: SlackWebApi, botUserId: string) {
    this.#api = api;
    this.#botUserId = botUserId;
  }

  async read(place: Place, signal: AbortSignal): Promise<Discussion> {
    const { channel, thread_ts } = placeSchema.parse(place);
    const messages = await readThread(this.#api, { channel, thread_ts }, signal);
    const query = { channel, message_ts: thread_ts };
    const { body } = await this.#api.call("chat.getPermalink", { query, schema: permalinkSchema }, signal);
    const said = saidIn(messages, this.#botUserId);
    return {
      title: titleFrom(said[0]?.split("\n", 1)[0], "Slack thread"),
      text: textFrom(said.join("\n\n")),
      at: new Date(Number(thread_ts) * secondMs).toISOString(),
      url: linkFrom(body.permalink),
      severity: severityIn(said),
    };
  }

  async start(
    channel: string,
    message: MessageDocument,
    { key, signal }: Omit<PostOptions, "replaces">,
  ): Promise<void> {
    await this.#send({ channel, ...keyed(message, key) }, signal);
  }

  async post(place: Place, message: MessageDocument, { replaces, key, signal }: PostOptions): Promise<string> {
    const { channel, thread_ts, ts } = placeSchema.parse(place);
    const body = keyed(message, key);
    if (replaces !== null && (await this.#replace({ channel, ts: replaces, ...body }, signal))) return replaces;
    const sent = await this.#sentBefore({ channel, thread_ts }, { key, from: ts }, signal);
    if (sent !== null) return sent;
    return this.#send({ channel, thread_ts, ...body }, signal);
  }

  async #send(message: object, signal: AbortSignal): Promise<string> {
    const json = { unfurl_links: false, unfurl_media: false, ...message };
    const call = { json, schema: postedSchema, isUnrepeatable: true };
    return (await this.#api.call("chat.postMessage", call, signal)).body.ts;
  }

  async show(place: Place, status: ConversationStatus | null, signal: AbortSignal): Promise<void> {
    const { channel, ts: timestamp } = placeSchema.parse(place);
    const shown = status === null ? null : reactions[status];
    if (shown !== null) await this.#react("reactions.add", { channel, timestamp, name: shown }, signal);
    const others = Object.values(reactions).filter((other) => other !== shown);
    await Promise.all(others.map((name) => this.#react("reactions.remove", { channel, timestamp, name }, signal)));
  }

  /** Returns false when the message can't be replaced: it was deleted, or the workspace no longer allows edits. */
  #replace(json: object, signal: AbortSignal): Promise<boolean> {
    return unlessRefused(this.#api.call("chat.update", { json, schema: postedSchema }, signal), unchangeable);
  }

  /** Finds the message with the key: it arrived, although Slack's response didn't. */
  async #sentBefore(
    thread: { readonly channel: string; readonly thread_ts: string },
    { key, from }: { readonly key: string; readonly from: string },
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const messages = await readThread(this.#api, thread, signal, from);
      const own = messages.filter(({ user }) => user === this.#botUserId);
      return own.find(({ metadata }) => metadata?.event_payload.key === key)?.ts ?? null;
    } catch (error) {
      // An app without read permission can still post.
      if (error instanceof VendorFailure && error.reason === "forbidden") return null;
      throw error;
    }
  }

  async #react(
    method: "reactions.add" | "reactions.remove",
    json: { readonly channel: string; readonly timestamp: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<void> {
    await unlessRefused(this.#api.call(method, { json, schema: doneSchema }, signal), unneeded);
  }
}

/** Returns the rendered message with the key by which it is recognized. */
function keyed(message: MessageDocument, key: string): object {
  return { ...renderMessage(message), metadata: { event_type: eventType, event_payload: { key } } };
}

const unchangeable: readonly string[] = ["message_not_found", "cant_update_message", "edit_window_closed"];
/** Errors that leave the message as it should be, or with as many reactions as Slack allows. */
const unneeded: readonly string[] = ["already_reacted", "no_reaction", "too_many_emoji", "too_many_reactions"];

/** Returns false when Slack refused with one of these errors. */
async function unlessRefused(asked: Promise<unknown>, errors: readonly string[]): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof SlackRefusal && errors.includes(error.error)) return false;
    throw error;
  }
}
