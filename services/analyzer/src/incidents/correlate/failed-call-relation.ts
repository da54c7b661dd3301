import type { Circumstances, FailingTrace, RecentIncident, ScopedEvents, Span } from "@whence/storage";
import { learnAddresses } from "../../collectors/addresses.ts";
import { ordinaryDurations } from "../../collectors/failed-call.ts";
import { type Role, rolesIn } from "../../collectors/trace-walk.ts";
import type { Relation } from "../decide/relation.ts";

/** The share of a failure that another one has to explain before it counts as the consequence. */
const explainedMin = 2 / 3;
/**
 * The share of the other failure that must have led to this one, leaving out what led to others: a failure that mostly
 * occurs without this one didn't cause it. Low, because a service has many callers.
 */
const ledToMin = 0.2;
const tracesMax = 2_000;
/** Traces whose events are read. */
const readMax = 10;
const membersMax = 200;
/** Events of one failure in one trace, which has one for each retry. */
const repeatsMax = 3;
/** How far the clocks of two processes may be apart. */
const clockMs = 1_000;

/** A failure that is about to open an incident. */
export interface Newcomer {
  readonly service: string;
  readonly env: string;
  readonly fingerprint: string;
  /** Its last events, the newest first. */
  readonly own: readonly Circumstances[];
}

/** One failure of an incident. */
interface Member {
  readonly incident: RecentIncident;
  readonly service: string;
  readonly fingerprint: string;
}

/**
 * Whether failed calls lead from the failure to one of an incident's in most of their common traces, or the other way
 * around. Neither a common trace nor a single call proves it: most of the consequence has to be explained, and the cause
 * must not occur just as often without it.
 */
export async function failedCallRelation(
  events: ScopedEvents,
  newcomer: Newcomer,
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  const members = incidents.flatMap(membersOf).filter(({ service }) => service !== newcomer.service);
  if (members.length === 0 || newcomer.own.every(({ traceId }) => traceId === "")) return null;
  const fingerprints = [newcomer.fingerprint, ...incidents.flatMap(membersOf).map(({ fingerprint }) => fingerprint)];
  const traces = await events.failingTraces({ ...span, fingerprints: [...new Set(fingerprints)], limit: tracesMax });
  const overlaps = members.flatMap((member) => overlapOf(newcomer, member, traces) ?? []);
  if (overlaps.length === 0) return null;
  const links = await readLinks(events, newcomer, overlaps, span);
  const found = overlaps.flatMap((overlap) => relationOf(overlap, links, newcomer) ?? []);
  return found.toSorted((left, right) => right.weight - left.weight)[0]?.relation ?? null;
}

function membersOf(incident: RecentIncident): Member[] {
  return [incident, ...incident.joined].map(({ service, fingerprint }) => ({ incident, service, fingerprint }));
}

/** How many traces a failure of an incident and the newcomer have in common, and how many each has in all. */
interface Overlap {
  readonly member: Member;
  readonly shared: readonly FailingTrace[];
  /** Traces of each up to the other's last one: the other's side of a later trace may still be on its way. */
  readonly ofNewcomer: number;
  readonly ofMember: number;
  /** How many of the member's traces led to no failure that joined the incident before. */
  readonly ofMemberUnexplained: number;
}

function overlapOf({ fingerprint }: Newcomer, member: Member, traces: readonly FailingTrace[]): Overlap | null {
  const own = traces.filter((trace) => trace.fingerprints.includes(fingerprint));
  const theirs = traces.filter((trace) => trace.fingerprints.includes(member.fingerprint));
  const shared = own.filter((trace) => trace.fingerprints.includes(member.fingerprint));
  if (shared.length === 0) return null;
  const explained = member.incident.joined.filter((one) => one.fingerprint !== member.fingerprint);
  const theirsUntil = until(theirs, own);
  const isUnexplained = (trace: FailingTrace): boolean =>
    trace.fingerprints.includes(fingerprint) || !explained.some((one) => trace.fingerprints.includes(one.fingerprint));
  return {
    member,
    shared,
    ofNewcomer: until(own, theirs).length,
    ofMember: theirsUntil.length,
    ofMemberUnexplained: theirsUntil.filter(isUnexplained).length,
  };
}

/** The traces that are no later than the last of `others`. */
function until(traces: readonly FailingTrace[], others: readonly FailingTrace[]): FailingTrace[] {
  const last = Math.max(...others.map(({ at }) => Date.parse(at))) + clockMs;
  return traces.filter(({ at }) => Date.parse(at) <= last);
}

/** The deeper of two failures in a trace, by the failed calls that lead from one to the other. */
interface Link {
  readonly traceId: string;
  readonly fingerprint: string;
  /** Null: no failed call leads from one to the other. */
  readonly deeper: "newcomer" | "member" | null;
}

async function readLinks(
  events: ScopedEvents,
  newcomer: Newcomer,
  overlaps: readonly Overlap[],
  span: Span,
): Promise<Link[]> {
  const ids = overlaps.flatMap(({ shared }) => shared.slice(0, readMax).map(({ traceId }) => traceId));
  const traceIds = [...new Set(ids)].slice(0, readMax * 2);
  const seen = await events.circumstances({ ...span, traceIds, limit: membersMax });
  const services = new Set(seen.map(({ service }) => service));
  const walked = {
    addresses: learnAddresses([...seen, ...newcomer.own], services),
    ordinary: ordinaryDurations([...seen, ...newcomer.own].flatMap(({ calls }) => calls)),
  };
  const fingerprints = new Set(overlaps.map(({ member }) => member.fingerprint));
  return [...Map.groupBy(seen, ({ traceId }) => traceId)].flatMap(([traceId, trace]) => {
    const failed = Map.groupBy(trace, ({ fingerprint }) => fingerprint);
    const own = (failed.get(newcomer.fingerprint) ?? []).slice(0, repeatsMax);
    const all = trace.filter(({ fingerprint }) => fingerprint !== "");
    return [...fingerprints].flatMap((fingerprint): Link[] => {
      const theirs = failed.get(fingerprint)?.slice(0, repeatsMax) ?? [];
      if (own.length === 0 || theirs.length === 0) return [];
      const deeper = leadsTo(own, fingerprint, all, walked)
        ? "member"
        : leadsTo(theirs, newcomer.fingerprint, all, walked)
          ? "newcomer"
          : null;
      return [{ traceId, fingerprint, deeper }];
    });
  });
}

const below: readonly Role[] = ["deepest", "between", "refusing"];

/** Whether the failed calls of one lead to the other; false when no calls were recorded. */
function leadsTo(
  from: readonly Circumstances[],
  fingerprint: string,
  failed: readonly Circumstances[],
  walked: Parameters<typeof rolesIn>[2],
): boolean {
  return from.some((origin) => {
    if (origin.calls.length === 0) return false;
    const others = failed.filter(({ service }) => service !== origin.service);
    return [...rolesIn(origin, others, walked)].some(
      ([other, role]) => other.fingerprint === fingerprint && below.includes(role),
    );
  });
}

interface Weighed {
  readonly weight: number;
  readonly relation: Relation;
}

function relationOf(overlap: Overlap, links: readonly Link[], newcomer: Newcomer): Weighed | null {
  const { member, shared, ofNewcomer, ofMember, ofMemberUnexplained } = overlap;
  const { incident } = member;
  const isAnchor = member.fingerprint === incident.fingerprint;
  const seen = links.filter(({ fingerprint }) => fingerprint === member.fingerprint);
  const linked = (deeper: Link["deeper"]): boolean =>
    seen.filter((link) => link.deeper === deeper).length >= Math.max(1, explainedMin * seen.length);
  const common = shared.length;
  const named = { incidentId: incident.id, anchor: incident.fingerprint, rule: "failed-call" as const };
  if (linked("member") && common >= explainedMin * ofNewcomer && common >= ledToMin * ofMemberUnexplained) {
    const relation = { ...named, isRoot: false, reason: reasonOf(common, ofNewcomer, member.service) };
    // The failure that the incident is named after comes first, because the others only follow from it.
    return { weight: common + (isAnchor ? 0.5 : 0), relation };
  }
  if (isAnchor && linked("newcomer") && common >= explainedMin * ofMember && common >= ledToMin * ofNewcomer) {
    return {
      weight: common,
      relation: { ...named, isRoot: true, reason: reasonOf(common, ofMember, newcomer.service) },
    };
  }
  return null;
}

function reasonOf(shared: number, of: number, service: string): string {
  const calls = of === 1 ? "its failed calls lead" : `in ${shared} of its ${of} traces, failed calls lead`;
  return `${calls} to the failure in ${service}`;
}
