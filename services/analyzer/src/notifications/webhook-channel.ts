import type { NotificationRule } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import type { AddressGuard } from "./address-guard.ts";
import { type Channel, DeliveryFailure } from "./channel.ts";
import { type PostAnswer, postJson } from "./post-json.ts";
import { signatureHeaders } from "./webhook-signature.ts";

export interface WebhookChannelOptions {
  readonly control: Pick<ControlDb, "scope">;
  readonly clock: () => number;
  readonly mayReach: AddressGuard;
}

const statusGone = 410;

/** {@link Channel} by a signed POST to the rule's webhook. */
export function webhookChannel({ control, clock, mayReach }: WebhookChannelOptions): Channel {
  return {
    async send(message, { scopeId, rule }, signal) {
      const secret = await control.scope(scopeId).notifications.webhookSecret(rule.id);
      if (secret === null) throw new DeliveryFailure("the webhook has no secret: make one", { isFinal: true });
      const body = JSON.stringify(message);
      const headers = signatureHeaders(secret, message.id, body, clock());
      judge(await postJson(urlOf(rule), { headers, body, mayReach, signal }));
      return null;
    },
  };
}

function urlOf({ webhook_url: url }: NotificationRule): URL {
  if (url === null) throw new DeliveryFailure("the rule has no webhook any more", { isFinal: true });
  return new URL(url);
}

/** A redirect is not followed: whoever answers could lead to what must not be reached. */
function judge({ status, retryAfterMs }: PostAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400) {
    throw new DeliveryFailure(`it answered ${status}, a redirect, which is not followed: enter where it leads`, {
      isFinal: true,
    });
  }
  throw new DeliveryFailure(`it answered ${status}`, { isFinal: status === statusGone, retryAfterMs });
}
