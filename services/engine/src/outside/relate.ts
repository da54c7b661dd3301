import { type ChangeEvent, hourMs, type OutsideProblem } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { Relation } from "../signals/outside/outside-view.ts";
import type { OutsideFinding } from "../signals/outside-finding.ts";
import { comesAfter, timeErrorMs } from "../signals/time-order.ts";
import type { FailureContext } from "./failure-context.ts";
import { coversHost, hostName, hostsIn, isBelow, namesCalledHost, namesMachine, namesService } from "./names.ts";

/** A change or a problem that a third party reported. */
export type OutsideCause = OutsideFinding<"change-event" | "problem">;

/** Returns how a change or problem is related to a failure; null when nothing connects them. */
export function relate(cause: OutsideCause, context: FailureContext): Relation | null {
  if (cause.kind === "change-event" && (cause.what === "dns" || cause.what === "firewall")) {
    const place = context.called.find(({ host }) => host !== null && isAboutHost(cause, host));
    if (place) return { kind: "called", place };
    return cause.what === "firewall" ? ofTarget(cause.target, context) : null;
  }
  if (cause.target === null) return ofTitle(cause.title, context);
  return ofTarget(cause.target, context);
}

function ofTarget(target: string | null, context: FailureContext): Relation | null {
  const { service, env, hosts, called } = context;
  if (target === null) return null;
  if (hosts.some((host) => namesMachine(target, host))) return { kind: "own-host" };
  if (service !== null && namesService(target, service, env)) return { kind: "own-service" };
  const place = called.find(
    (one) =>
      (one.service !== null && namesService(target, one.service, env)) ||
      (one.host !== null && namesCalledHost(target, one.host, env)),
  );
  return place ? { kind: "called", place } : null;
}

/** Without a target, only a host in the title can connect it. */
function ofTitle(title: string, { called }: FailureContext): Relation | null {
  const hosts = hostsIn(title);
  const place = called.find(({ host }) => host !== null && hosts.includes(hostName(host)));
  return place ? { kind: "called", place } : null;
}

/** DNS records that connecting to a host doesn't look up. */
const otherRecords = /\b(?:MX|TXT|CAA|SPF|DKIM|DMARC|PTR)\b/;
const hostRecords = /\b(?:A|AAAA|CNAME|HTTPS|SRV)\b/;

/**
 * Returns whether a change of DNS or rules concerns a host: it names the host, or its domain and no other host in it.
 */
function isAboutHost({ what, target, title }: ChangeEvent, host: string): boolean {
  if (what === "dns" && otherRecords.test(title)) return false;
  const domain = target === null ? "" : hostName(target);
  const named = hostsIn(title).filter((one) => one !== domain);
  if (named.length > 0) return named.some((one) => coversHost(one, host));
  if (coversHost(domain, host)) return true;
  // A record of the domain itself doesn't apply to the hosts in it.
  const isOfDomain = what === "dns" && hostRecords.test(title) && hostsIn(title).includes(domain);
  return isBelow(host, domain) && !isOfDomain;
}

/**
 * How long before a failure a change is half as likely its cause as one right before it; a problem stays likely for
 * longer.
 */
const halfLifeMs = { "change-event": hourMs, problem: 6 * hourMs } as const;
/** Monitors notice a problem only after the first failures. */
const noticedAfterMs = 300_000;
/** Problems that monitors notice with a delay, unlike those recorded when they happen. */
const noticed: ReadonlySet<OutsideProblem["what"]> = new Set<OutsideProblem["what"]>([
  ...(["alarm", "outage", "incident", "failed-check", "unschedulable"] as const),
]);

/** Returns how well the timing fits a cause, from 0 to 1: 0 when it came after the failure or ended before it. */
export function timeliness(cause: OutsideCause, { firstAt, firstErrorMs, isAnnounced }: FailureContext): number {
  const at = Date.parse(timeOf(cause));
  const isNoticed = cause.kind === "problem" && noticed.has(cause.what);
  const mayBeLate = isNoticed || (isAnnounced && cause.kind === "problem");
  const moment = { at, errorMs: mayBeLate ? noticedAfterMs : timeErrorMs.clock };
  if (comesAfter(moment, { at: firstAt, errorMs: firstErrorMs })) return 0;
  if (isNoticed && cause.until !== null && Date.parse(cause.until) < firstAt - timeErrorMs.clock) return 0;
  return 0.5 ** (Math.max(0, firstAt - at) / halfLifeMs[cause.kind]);
}

/** Returns the finding of a third party; null when it is neither a change nor a problem. */
export function causeOf({ fact }: Observation): OutsideCause | null {
  if (fact.kind !== "outside") return null;
  const { outside } = fact;
  return outside.kind === "change-event" || outside.kind === "problem" ? outside : null;
}

/** Returns when it changed, or when the problem began. */
export function timeOf(cause: OutsideCause): string {
  return cause.kind === "change-event" ? cause.at : cause.since;
}
