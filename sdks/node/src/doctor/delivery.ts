import type { Batch } from "@whence/protocol";
import { batchUrl } from "../delivery/http.ts";
import { uuidv7 } from "../runtime/uuid.ts";

/** The result of one check. `failed` means that events won't arrive; a `warning` may be intended. */
export interface Check {
  readonly name: string;
  readonly outcome: "ok" | "warning" | "failed";
  readonly detail: string;
}

const timeoutMs = 10_000;
/** With more skew than this, timestamps of different hosts no longer show what came first. */
const skewMaxMs = 5_000;

/**
 * Checks whether the server accepts this program's events, with an empty batch, which isn't stored, or a test event.
 */
export async function checkDelivery(
  endpoint: string,
  apiKey: string,
  header: object,
  isReal: boolean,
): Promise<Check[]> {
  const checks = [checkAddress(endpoint)];
  const now = Date.now();
  try {
    const response = await fetch(batchUrl(endpoint), {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify({ ...header, sent_at: new Date(now).toISOString(), events: isReal ? [testEvent(now)] : [] }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await response.text();
    return [...checks, ...checkAnswer(response.status, body, isReal), ...checkClock(response.headers.get("date"))];
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    return [
      ...checks,
      { name: "delivery", outcome: "failed", detail: `no response from ${endpoint}: ${String(reason)}` },
    ];
  }
}

function checkAddress(endpoint: string): Check {
  const { protocol, hostname } = new URL(endpoint);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:") return { name: "address", outcome: "ok", detail: endpoint };
  return isLocal
    ? { name: "address", outcome: "ok", detail: `${endpoint} (this machine)` }
    : {
        name: "address",
        outcome: "failed",
        detail: `${endpoint} is not https: the key and your data are sent unencrypted`,
      };
}

function checkAnswer(status: number, body: string, isReal: boolean): Check[] {
  if (status === 401) return [{ name: "key", outcome: "failed", detail: "the server rejected the key (401)" }];
  if (status === 403) {
    const detail = "the key can't send telemetry (403): use an API key of your organization with the send scope";
    return [{ name: "key", outcome: "failed", detail }];
  }
  if (status !== 202) {
    return [
      { name: "delivery", outcome: "failed", detail: `the server responded with ${status}: ${body.slice(0, 200)}` },
    ];
  }
  const took = isReal ? "a test event was accepted" : "an empty batch was accepted; --send sends a test event";
  const isRefused = isReal && !/"accepted":\s*1/.test(body);
  return [
    { name: "key", outcome: "ok", detail: "accepted by the server" },
    isRefused
      ? { name: "delivery", outcome: "failed", detail: `the test event was rejected: ${body.slice(0, 200)}` }
      : { name: "delivery", outcome: "ok", detail: took },
  ];
}

function checkClock(date: string | null): Check[] {
  const skew = date === null ? Number.NaN : Date.now() - Date.parse(date);
  if (Number.isNaN(skew)) return [];
  const seconds = Math.round(skew / 1_000);
  return Math.abs(skew) <= skewMaxMs
    ? [{ name: "clock", outcome: "ok", detail: "within 5 s of the server's" }]
    : [
        {
          name: "clock",
          outcome: "warning",
          detail: `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the server's`,
        },
      ];
}

function testEvent(now: number): Batch["events"][number] {
  return {
    id: uuidv7(now),
    seq: 1,
    type: "log",
    timestamp: new Date(now).toISOString(),
    level: "info",
    message: "a test event of whence-node doctor",
    mechanism: { type: "doctor", handled: true },
  };
}
