import { z } from "zod";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { oneLine } from "../text/one-line.ts";
import { DeliveryFailure } from "./channel.ts";
import type { PostAnswer } from "./post-json.ts";

const saidLengthMax = 200;
const statusTooManyRequests = 429;
const statusRequestTimeout = 408;

/** The forms in which Slack (a word), PagerDuty, Opsgenie, and Power Automate (JSON) report errors. */
const saidSchema = z.object({
  message: z.string().optional(),
  errors: z.array(z.string()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/**
 * Accepts 2xx. Throws a {@link DeliveryFailure} that is final for a redirect and for 4xx, except for 408 and 429,
 * because the same request would be refused again. The vendor's text is quoted without the credential, in case it
 * repeats that.
 */
export function requireAccepted(vendor: string, { status, retryAfter, text }: PostAnswer, credential: string): void {
  if (status >= 200 && status < 300) return;
  const mayPass = status === statusTooManyRequests || status === statusRequestTimeout || status >= 500;
  const said = oneLine(saidIn(text).replaceAll(credential, "…"), saidLengthMax);
  throw new DeliveryFailure(`${vendor} answered ${status}${said === "" ? "" : `: ${said}`}`, {
    isFinal: !mayPass,
    retryAfter,
  });
}

function saidIn(text: string): string {
  if (/^[a-z_]+$/.test(text.trim())) return text.trim();
  const said = saidSchema.safeParse(parseBoundedJson(text)).data;
  return [said?.message, ...(said?.errors ?? []), said?.error?.message].filter((part) => part !== undefined).join(": ");
}
