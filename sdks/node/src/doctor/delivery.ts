import type { Batch } from "@whence/protocol";
import { batchUrl } from "../delivery/http.ts";
import { uuidv7 } from "../runtime/uuid.ts";

/** One thing that was looked at. `failed` would keep events from arriving, `warning` is for a person to judge. */
export interface Check {
  readonly name: string;
  readonly outcome: "ok" | "warning" | "failed";
  readonly detail: string;
}

const timeoutMs = 10_000;
/** Beyond it times of different hosts no longer tell what came first. */
const skewMaxMs = 5_000;

/** Asks the service whether it takes what this program sends: an empty batch, which is stored nowhere, or a test event. */
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
      { name: "delivery", outcome: "failed", detail: `no answer from ${endpoint}: ${String(reason)}` },
    ];
  }
}

function checkAddress(endpoint: string): Check {
  const { protocol, hostname } = new URL(endpoint);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:") return { name: "address", outcome: "ok", detail: endpoint };
  return isLocal
    ? { name: "address", outcome: "ok", detail: `${endpoint} (this machine)` }
    : { name: "address", outcome: "failed", detail: `${endpoint} is not https: key and data travel in clear` };
}

function checkAnswer(status: number, body: string, isReal: boolean): Check[] {
  if (status === 401) return [{ name: "key", outcome: "failed", detail: "the service refuses the key (401)" }];
  if (status === 403) {
    const detail = "the key may not send telemetry (403): use an organization's key with the scope send";
    return [{ name: "key", outcome: "failed", detail }];
  }
  if (status !== 202) {
    return [{ name: "delivery", outcome: "failed", detail: `the service answers ${status}: ${body.slice(0, 200)}` }];
  }
  const took = isReal ? "a test event was accepted" : "an empty batch was accepted; --send sends a test event";
  const isRefused = isReal && !/"accepted":\s*1/.test(body);
  return [
    { name: "key", outcome: "ok", detail: "the service knows it" },
    isRefused
      ? { name: "delivery", outcome: "failed", detail: `the test event was refused: ${body.slice(0, 200)}` }
      : { name: "delivery", outcome: "ok", detail: took },
  ];
}

function checkClock(date: string | null): Check[] {
  const skew = date === null ? Number.NaN : Date.now() - Date.parse(date);
  if (Number.isNaN(skew)) return [];
  const seconds = Math.round(skew / 1_000);
  return Math.abs(skew) <= skewMaxMs
    ? [{ name: "clock", outcome: "ok", detail: "within 5 s of the service's" }]
    : [
        {
          name: "clock",
          outcome: "warning",
          detail: `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's`,
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
