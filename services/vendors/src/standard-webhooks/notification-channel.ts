import type { NotificationRule } from "@whence/protocol";
import type { AddressGuard } from "../http/address-guard.ts";
import { type Channel, DeliveryFailure } from "../notifications/channel.ts";
import { type PostAnswer, postJson } from "../notifications/post-json.ts";
import { signatureHeaders } from "./signature.ts";

export interface WebhookChannelOptions {
  readonly clock: () => number;
  readonly mayReach: AddressGuard;
}

const statusGone = 410;

/** A {@link Channel} by a signed POST to the rule's webhook. */
export function webhookChannel({ clock, mayReach }: WebhookChannelOptions): Channel {
  return {
    async send(message, { rule, credential: secret }, signal) {
      if (secret === null)
        throw new DeliveryFailure("the webhook has no secret: create one in the rule", { isFinal: true });
      const body = JSON.stringify(message);
      const headers = signatureHeaders(secret, message.id, body, clock());
      judge(await postJson(urlOf(rule), { recipient: "the webhook", headers, body, mayReach, signal }));
      return null;
    },
  };
}

function urlOf({ webhook_url: url }: NotificationRule): URL {
  if (url === null) throw new DeliveryFailure("the rule no longer has a webhook", { isFinal: true });
  return new URL(url);
}

/** Accepts 2xx. Redirects aren't followed, because they could lead to an address that must not be reached. */
function judge({ status, retryAfter }: PostAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400) {
    throw new DeliveryFailure(
      `the webhook answered ${status}, a redirect, and redirects aren't followed: enter the final URL`,
      {
        isFinal: true,
      },
    );
  }
  throw new DeliveryFailure(`the webhook answered ${status}`, { isFinal: status === statusGone, retryAfter });
}
