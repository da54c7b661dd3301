import type { Circumstances, RecentIncident, RecordedCall, ScopedEvents, Span, StoredEvent } from "@whence/storage";
import { type Addresses, learnAddresses, placeOf } from "../../collectors/addresses.ts";
import { callsBefore } from "../../collectors/failed-call.ts";
import type { Relation } from "../decide/relation.ts";
import type { Newcomer } from "./failed-call-relation.ts";

/** The share of either failure that has to come from such calls. */
const shareMin = 2 / 3;
/** Events of a failure whose calls are compared, and how many of them are read in full. */
const eventsMax = 20;
const readMax = 3;
const incidentsMax = 10;
const everyoneMax = 100;
const perServiceMax = 20;

/**
 * Whether the failure is unanswered calls to a place that already cause an incident's failure, or whose process ended. No
 * trace leads there, because nothing there reports.
 */
export async function sameCalleeRelation(
  events: ScopedEvents,
  newcomer: Newcomer,
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  const place = await unansweredPlace(events, newcomer.own, span);
  if (place === null) return null;
  const addresses = await readAddresses(events, newcomer.own, span);
  const callee = addresses.serviceAt(place);
  const ended = callee === null ? undefined : incidents.find(({ isEnd, service }) => isEnd && service === callee);
  if (ended) {
    const reason = `its calls to ${place}, where ${callee} was running, get no answer`;
    return { ...namedAfter(ended), rule: "calls-to-ended-process", isRoot: false, reason };
  }
  for (const { incident, own } of await eventsOf(events, incidents, span)) {
    const other = await unansweredPlace(events, own, span);
    if (other === null || (other !== place && (callee === null || addresses.serviceAt(other) !== callee))) continue;
    const reason = `its calls to ${place} get no answer, and neither do those of ${incident.service}`;
    return { ...namedAfter(incident), rule: "same-unanswered-call", isRoot: false, reason };
  }
  return null;
}

function namedAfter({ id, fingerprint }: RecentIncident): Pick<Relation, "incidentId" | "anchor"> {
  return { incidentId: id, anchor: fingerprint };
}

/** The last events of each incident's failure, where they have calls. */
async function eventsOf(
  events: ScopedEvents,
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<{ readonly incident: RecentIncident; readonly own: readonly Circumstances[] }[]> {
  const newest = incidents.slice(0, incidentsMax);
  if (newest.length === 0) return [];
  const fingerprints = newest.map(({ fingerprint }) => fingerprint);
  const limit = eventsMax * incidentsMax;
  const found = await events.circumstances({ ...span, fingerprints, perFailure: eventsMax, limit });
  return newest.flatMap((incident) => {
    const own = found.filter(({ fingerprint }) => fingerprint === incident.fingerprint);
    return own.some(({ calls }) => calls.length > 0) ? [{ incident, own }] : [];
  });
}

/** Whether the exit of a service's process caused an incident's failure, whose calls to the service get no answer since. */
export async function exitRelation(
  events: ScopedEvents,
  { service, fingerprint }: { readonly service: string; readonly fingerprint: string },
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  const others = incidents.filter((one) => !one.isEnd && one.fingerprint !== fingerprint && one.service !== service);
  for (const { incident, own } of await eventsOf(events, others, span)) {
    const place = await unansweredPlace(events, own, span);
    if (place === null) continue;
    const addresses = await readAddresses(events, own, span);
    if (addresses.serviceAt(place) !== service) continue;
    const reason = `its calls to ${place}, where ${service} was running, get no answer`;
    return { ...namedAfter(incident), rule: "calls-to-ended-process", isRoot: true, reason };
  }
  return null;
}

/** Where most of a failure's events got no answer just before, when that is what their error says. */
async function unansweredPlace(
  events: ScopedEvents,
  own: readonly Circumstances[],
  span: Span,
): Promise<string | null> {
  const newest = own.slice(0, eventsMax);
  const calls = newest.map(lastUnanswered);
  const places = Map.groupBy(
    calls.flatMap((call) => call ?? []),
    (call) => placeOf(call).host,
  );
  const [most] = [...places].toSorted(([, left], [, right]) => right.length - left.length);
  if (!most || most[1].length < shareMin * newest.length) return null;
  const [place] = most;
  const ids = newest
    .filter((_, index) => {
      const call = calls[index];
      return call !== null && call !== undefined && placeOf(call).host === place;
    })
    .slice(0, readMax)
    .map(({ id }) => id);
  const read = await events.find({ ...span, ids, limit: readMax });
  const matching = read.filter(({ event }) => {
    const call = calls[newest.findIndex(({ id }) => id === event.id)];
    return call?.error ? isOfCall(event, call.error) : false;
  });
  return read.length > 0 && matching.length === read.length ? place : null;
}

/** The last call before an event if it got no answer. */
function lastUnanswered({ calls, at }: Circumstances): RecordedCall | null {
  const last = callsBefore(calls, at).at(-1);
  return last && last.error !== null && last.statusCode === null ? last : null;
}

/** Whether the error is the call's own: it or one of its causes has the same code or message. */
function isOfCall({ exceptions = [], message }: StoredEvent["event"], error: string): boolean {
  // After a code, if there is one.
  const words = error.slice(error.indexOf(" ") + 1);
  const isSaid = (said: string): boolean => said !== "" && ((words !== "" && said.includes(words)) || said === error);
  return (
    isSaid(message) ||
    exceptions.some(({ message: said, properties }) => {
      const code = properties?.code;
      return isSaid(said) || (typeof code === "string" && code !== "" && error.includes(code));
    })
  );
}

async function readAddresses(events: ScopedEvents, own: readonly Circumstances[], span: Span): Promise<Addresses> {
  const [seen, releases] = await Promise.all([
    events.circumstances({ ...span, perService: perServiceMax, limit: everyoneMax }),
    events.releases({ env: span.env, since: span.from, limit: everyoneMax }),
  ]);
  return learnAddresses(
    [...seen, ...own],
    releases.map(({ service }) => service),
  );
}
