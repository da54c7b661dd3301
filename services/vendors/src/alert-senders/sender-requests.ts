import type { AddressGuard } from "../http/address-guard.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { vendorLimits } from "../http/vendor-limits.ts";

/** Requests to the senders of webhooks, through the address guard. */
export interface SenderRequests {
  /** Reads a small text. Rejects unless the sender responds with success. */
  fetchText(url: URL): Promise<string>;
  close(): Promise<void>;
}

export function openSenderRequests(mayReach: AddressGuard): SenderRequests {
  const { requestTimeoutMs: timeoutMs, senderTextBytesMax: bytesMax } = vendorLimits;
  const guarded = openGuardedFetch({ mayReach, timeoutMs, bytesMax });
  return {
    async fetchText(url) {
      const answer = await guarded.fetch(url.href);
      if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}`);
      return answer.text();
    },
    close: () => guarded.close(),
  };
}
