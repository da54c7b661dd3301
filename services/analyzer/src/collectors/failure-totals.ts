import type { MinuteCount, ScopedEvents } from "@whence/storage";
import type { Collector } from "../investigation/collect/collector.ts";
import type { Observation, RateChange } from "../investigation/findings.ts";
import { observeData } from "../investigation/observe.ts";

const minuteMs = 60_000;
/** How far back the rate is looked at. */
const windowMs = 6 * 60 * minuteMs;
/** A rise counts when the rate is at least this many times what it was, and at least so many events a minute. */
const riseFactor = 3;
const riseEventsMin = 3;

/** How often the failure happened, since when, to whom, and when it began to come more often. */
export function failureTotals(events: ScopedEvents): Collector {
  const name = "failure totals";
  return {
    name,
    async collect({ incident, event, observedAt }) {
      if (incident.fingerprint === null || !event) return [];
      const to = new Date(Date.parse(observedAt) + minuteMs).toISOString();
      const from = new Date(Date.parse(observedAt) - windowMs).toISOString();
      const [totals, minutes] = await Promise.all([
        events.failure(incident.fingerprint),
        events.failureByMinute(incident.fingerprint, from, to),
      ]);
      if (!totals) return [];
      const { firstSeen, lastSeen, ...where } = totals;
      const rose = changePoint(minutes);
      const impact = { ...where, first_seen: firstSeen, last_seen: lastSeen };
      const observation: Observation = observeData(
        { kind: "telemetry", name },
        { ...totals, by_minute: minutes },
        {
          observed_at: firstSeen,
          summary: `seen ${totals.events === 1 ? "once, at" : `${totals.events} times since`} ${firstSeen}${rose ? `, more often since ${rose.at}` : ""}`,
          fact: {
            kind: "totals",
            impact: {
              ...impact,
              services: [...where.services],
              routes: [...where.routes],
              hosts: [...where.hosts],
              releases: [...where.releases],
            },
            rose,
          },
        },
      );
      return [observation];
    },
  };
}

/** The minute at which the rate before and the rate from then on differ most, when it rose clearly. */
export function changePoint(minutes: readonly MinuteCount[]): RateChange | null {
  let best: RateChange | null = null;
  let before = 0;
  const total = minutes.reduce((sum, { events }) => sum + events, 0);
  for (const [index, { minute, events }] of minutes.entries()) {
    if (index > 0) {
      const change = { at: minute, before: before / index, after: (total - before) / (minutes.length - index) };
      const isRise = change.after >= riseEventsMin && change.after >= change.before * riseFactor;
      if (isRise && (!best || change.after - change.before > best.after - best.before)) best = change;
    }
    before += events;
  }
  return best;
}
