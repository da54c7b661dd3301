import {
  isSlackChannel,
  type Notification,
  type NotificationChannel,
  type NotificationRule,
  sendsTo,
} from "@whence/protocol";
import type { ControlDb, DeliveryOutcome, TakenDelivery } from "@whence/storage";
import { type Channel, DeliveryFailure, notificationDocument, oneLine, retryAfterMs } from "@whence/vendors";
import type { Logger } from "../logger.ts";
import { composeNotification } from "./compose-notification.ts";
import { type AppContext, postAsApp } from "./post-as-app.ts";
import { attemptsMax, retryWaitMs } from "./retry.ts";

export interface DeliverOptions {
  readonly control: Pick<ControlDb, "scope" | "alertSources">;
  readonly channels: Readonly<Record<NotificationChannel, Channel>>;
  /** How an organization's own app posts. */
  readonly apps: Omit<AppContext, "control">;
  readonly appUrl: string;
  readonly clock: () => number;
  readonly logger: Logger;
}

/** An attempt that takes longer has failed. Mail servers inspect a mail before they accept it. */
const mailTimeoutMs = 30_000;
const requestTimeoutMs = 10_000;
const reasonLengthMax = 300;

/** Makes one attempt at a delivery and returns its outcome; null when its rule was deleted, and the delivery with it. */
export async function deliver(options: DeliverOptions, taken: TakenDelivery): Promise<DeliveryOutcome | null> {
  const { notifications } = options.control.scope(taken.scopeId);
  const rule = await notifications.find(taken.ruleId);
  if (!rule) return null;
  const obsolete = obsoleteBy(rule, taken);
  if (obsolete !== null) return { state: "given_up", reason: obsolete };
  const message = await composeNotification(options.control, options.appUrl, rule, taken);
  if (!message) return { state: "given_up", reason: "the incident was deleted" };
  try {
    return { state: "sent", reason: await send(options, taken, { rule, message }) };
  } catch (error) {
    options.logger.warn({ err: error, delivery: taken.id, attempt: taken.attempt }, "a notification was not accepted");
    return afterFailure(error, taken, options.clock());
  }
}

/** Returns a remark if there is one. */
async function send(
  options: DeliverOptions,
  taken: TakenDelivery,
  { rule, message }: { readonly rule: NotificationRule; readonly message: Notification },
): Promise<string | null> {
  const { control, channels, apps } = options;
  const { recipient, channel } = taken;
  const credential =
    channel === "email" ? null : await control.scope(taken.scopeId).notifications.secret(rule.id, channel);
  const signal = AbortSignal.timeout(channel === "email" ? mailTimeoutMs : requestTimeoutMs);
  if (channel !== "slack" || credential === null || !isSlackChannel(credential)) {
    return channels[channel].send(message, { rule, recipient, credential }, signal);
  }
  await postAsApp({ control, ...apps }, taken, { channel: credential, message: notificationDocument(message), signal });
  return null;
}

/** Returns why a message is no longer wanted; null when it is. */
function obsoleteBy(rule: NotificationRule, { type, channel, recipient }: TakenDelivery): string | null {
  if (!rule.enabled && type !== "test") return "the rule was turned off";
  const isRecipient = (address: string): boolean => address.toLowerCase() === recipient.toLowerCase();
  const isNamed = channel === "email" ? rule.emails.some(isRecipient) : sendsTo(channel, rule);
  return isNamed ? null : "the rule no longer names this recipient";
}

function afterFailure(error: unknown, { type, attempt }: TakenDelivery, now: number): DeliveryOutcome {
  const reason = oneLine(error instanceof Error ? error.message : String(error), reasonLengthMax);
  const { isFinal, retryAfter } = error instanceof DeliveryFailure ? error : { isFinal: false, retryAfter: undefined };
  // Someone is waiting for the result of a test and can send another.
  if (isFinal || type === "test" || attempt >= attemptsMax) return { state: "given_up", reason };
  return {
    state: "waiting",
    reason,
    nextAttemptAt: new Date(now + retryWaitMs(attempt, retryAfterMs(retryAfter, now))),
  };
}
