import { isIP } from "node:net";
import { dayMs, minuteMs, monitorLimits, secondMs, type UptimeCheck } from "@whence/protocol";
import { AddressRefused, probeUrl } from "@whence/vendors";
import { type MonitorKind, resultOf } from "./monitor-kind.ts";

const [successFrom, successTo, redirectTo] = [200, 300, 400];
const textShownMax = 40;

/** Requests a URL. */
export const uptime: MonitorKind<UptimeCheck> = {
  label: "Uptime check",
  subject: ({ check }) => check.url,
  problem({ url }, { mayReach }) {
    const host = hostOf(url);
    return isIP(host) === 0 || mayReach(host) ? null : { setting: "url", message: new AddressRefused(host).message };
  },
  begin: (_, now) => ({ nextCheckAt: now }),
  async check({ check, createdAt }, { mayReach, clock }) {
    const { url, method, timeout_seconds: seconds, interval_minutes: minutes, body_contains: text } = check;
    const startedAt = clock();
    const bodyBytesMax = text === null ? 0 : monitorLimits.monitorAnswerBytesMax;
    const asked = { url: new URL(url), method, timeoutMs: seconds * secondMs, bodyBytesMax };
    const probed = await probeUrl(asked, mayReach, clock);
    const now = clock();
    const nextCheckAt = nextSlot(Date.parse(createdAt), minutes * minuteMs, startedAt);
    if (probed.kind === "refused") {
      return { result: resultOf(now, "not-checked", probed.reason), nextCheckAt };
    }
    const measured = { duration_ms: probed.durationMs };
    const trouble = probed.kind === "failed" ? probed.reason : troubleOf(check, probed, now);
    if (trouble !== null) return { result: resultOf(now, "failed", trouble, measured), nextCheckAt };
    const answered = probed.kind === "answered" ? `answered ${probed.status}` : "";
    return { result: resultOf(now, "passed", answered, measured), nextCheckAt };
  },
};

/** Checks keep to the minutes at which the monitor was made, so that a late one delays no other. */
function nextSlot(anchor: number, everyMs: number, after: number): number {
  return anchor + (Math.floor((after - anchor) / everyMs) + 1) * everyMs;
}

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
  readonly certificateExpiresAt: number | null;
}

/** Returns what is wrong with an answer; null when it is as expected. */
function troubleOf(
  { statuses, body_contains: text, certificate_days: days }: UptimeCheck,
  { status, location, body, certificateExpiresAt }: Answer,
  now: number,
): string | null {
  const isExpected = statuses.length > 0 ? statuses.includes(status) : status >= successFrom && status < successTo;
  if (!isExpected) {
    const isRedirect = status >= successTo && status < redirectTo && location !== null;
    return `answered ${status}${isRedirect ? `, a redirect to ${location.slice(0, monitorLimits.monitorBodyTextLengthMax)}` : ""}`;
  }
  if (text !== null && !body.includes(text)) {
    const shown = text.length > textShownMax ? `${text.slice(0, textShownMax)}…` : text;
    return `answered ${status} without the text “${shown}”`;
  }
  if (days === 0 || certificateExpiresAt === null || certificateExpiresAt - now >= days * dayMs) return null;
  return `has a certificate that expires on ${new Date(certificateExpiresAt).toISOString().slice(0, "2026-03-01".length)}`;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}
