import type { Notification, NotificationRule } from "@whence/protocol";
import type { AddressGuard } from "../http/address-guard.ts";
import { type Channel, DeliveryFailure } from "./channel.ts";
import { postJson } from "./post-json.ts";
import { requireAccepted } from "./vendor-answer.ts";

export interface VendorChannelOptions {
  readonly mayReach: AddressGuard;
}

/** A request to a vendor. */
export interface VendorRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A vendor's part of a channel. */
export interface Vendor {
  /** The vendor's name for people. */
  readonly label: string;
  /** The name of its credential, for errors. */
  readonly credential: string;
  /** Builds the request for a message; null when the rule no longer sends there. */
  request(message: Notification, rule: NotificationRule, credential: string): VendorRequest | null;
  /** Builds a second request, which adds to the first; if it fails, nothing is added. */
  followUp?(message: Notification, rule: NotificationRule, credential: string): VendorRequest | null;
}

/** A {@link Channel} by a POST to a vendor, with the credential of the rule. */
export function vendorChannel({ mayReach }: VendorChannelOptions, vendor: Vendor): Channel {
  const post = async ({ url, headers = {}, body }: VendorRequest, credential: string, signal: AbortSignal) => {
    const to = URL.parse(url);
    if (!to) throw new DeliveryFailure(`the ${vendor.credential} can't be used: enter it again`, final);
    const sent = { recipient: vendor.label, headers, body: JSON.stringify(body), mayReach, signal };
    requireAccepted(vendor.label, await postJson(to, sent), credential);
  };
  return {
    async send(message, { rule, credential }, signal) {
      if (credential === null) throw new DeliveryFailure(`the rule has no ${vendor.credential}: enter it`, final);
      const request = vendor.request(message, rule, credential);
      if (!request) throw new DeliveryFailure(`the rule no longer sends to ${vendor.label}`, final);
      await post(request, credential, signal);
      const followUp = vendor.followUp?.(message, rule, credential) ?? null;
      return followUp === null ? null : remarkOf(post(followUp, credential, signal));
    },
  };
}

const final = { isFinal: true } as const;

/** The message was accepted, so it isn't sent again because of its addition, which would repeat it. */
async function remarkOf(adding: Promise<void>): Promise<string | null> {
  try {
    await adding;
    return null;
  } catch (error) {
    return `accepted, but not its note: ${error instanceof Error ? error.message : String(error)}`;
  }
}
