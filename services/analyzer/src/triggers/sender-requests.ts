import type { AddressGuard } from "../outbound/address-guard.ts";
import { openGuardedFetch } from "../outbound/guarded-fetch.ts";
import { triggerLimits } from "./trigger-limits.ts";

/** What is read from the senders of webhooks, through the guard of addresses. */
export interface SenderRequests {
  /** A small text. Rejects when the sender doesn't answer with success. */
  fetchText(url: URL): Promise<string>;
  close(): Promise<void>;
}

export function openSenderRequests(mayReach: AddressGuard): SenderRequests {
  const { fetchTimeoutMs: timeoutMs, fetchedBytesMax: bytesMax } = triggerLimits;
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
