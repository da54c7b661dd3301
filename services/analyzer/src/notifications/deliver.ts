import type { NotificationChannel, NotificationRule } from "@whence/protocol";
import type { ControlDb, DeliveryOutcome, TakenDelivery } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { type Channel, DeliveryFailure } from "./channel.ts";
import { composeNotification } from "./compose-notification.ts";
import { oneLine } from "./one-line.ts";
import { attemptsMax, retryWaitMs } from "./retry.ts";

export interface DeliverOptions {
  readonly control: Pick<ControlDb, "scope">;
  readonly channels: Readonly<Record<NotificationChannel, Channel>>;
  readonly appUrl: string;
  readonly clock: () => number;
  readonly logger: Logger;
}

/** An attempt that takes longer has failed. Mail servers look at a mail before they take it. */
const attemptTimeoutMs: Readonly<Record<NotificationChannel, number>> = { email: 30_000, webhook: 10_000 };
const reasonLengthMax = 300;

/** Makes one attempt at a delivery, and says what came of it; null when its rule is gone, and the delivery with it. */
export async function deliver(options: DeliverOptions, taken: TakenDelivery): Promise<DeliveryOutcome | null> {
  const rule = await options.control.scope(taken.scopeId).notifications.find(taken.ruleId);
  if (!rule) return null;
  const obsolete = obsoleteBy(rule, taken);
  if (obsolete !== null) return { state: "given_up", reason: obsolete };
  const message = await composeNotification(options.control, options.appUrl, rule, taken);
  if (!message) return { state: "given_up", reason: "the incident is not there any more" };
  const { scopeId, recipient, channel } = taken;
  try {
    const signal = AbortSignal.timeout(attemptTimeoutMs[channel]);
    const said = await options.channels[channel].send(message, { scopeId, rule, recipient }, signal);
    return { state: "sent", reason: said };
  } catch (error) {
    options.logger.warn({ err: error, delivery: taken.id, attempt: taken.attempt }, "a notification was not taken");
    return afterFailure(error, taken, options.clock());
  }
}

/** Why nobody wants it any more. */
function obsoleteBy(rule: NotificationRule, { type, channel, recipient }: TakenDelivery): string | null {
  if (!rule.enabled && type !== "test") return "the rule was turned off";
  const isRecipient = (address: string): boolean => address.toLowerCase() === recipient.toLowerCase();
  const isNamed = channel === "webhook" ? rule.webhook_url !== null : rule.emails.some(isRecipient);
  return isNamed ? null : "the rule does not name this recipient any more";
}

function afterFailure(error: unknown, { type, attempt }: TakenDelivery, now: number): DeliveryOutcome {
  const reason = oneLine(error instanceof Error ? error.message : String(error), reasonLengthMax);
  const { isFinal, retryAfterMs } = error instanceof DeliveryFailure ? error : { isFinal: false, retryAfterMs: null };
  // Whoever tests wants to know now, and presses the button again.
  if (isFinal || type === "test" || attempt >= attemptsMax) return { state: "given_up", reason };
  return { state: "waiting", reason, nextAttemptAt: new Date(now + retryWaitMs(attempt, retryAfterMs)) };
}
