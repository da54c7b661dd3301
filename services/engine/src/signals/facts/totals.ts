import { impactSchema } from "@whence/protocol";
import { z } from "zod";
import { count } from "../../words/prose.ts";
import { factKind, isLater } from "./fact-kind.ts";

export const totals = factKind({
  name: "totals",
  means: "How often the failure occurred, since when, and where",
  data: z.object({ impact: impactSchema.omit({ summary: true }).readonly() }),
  example: {
    impact: {
      first_seen: "2026-03-01T10:00:00.000Z",
      last_seen: "2026-03-01T10:05:00.000Z",
      events: 20,
      services: ["orders"],
      routes: ["/orders/:id"],
      hosts: ["host-1"],
      releases: ["1.4.2"],
    },
  },
  evidence: ({ impact: { events, first_seen: since } }) => {
    if (since === null) return count(events, "event");
    return events === 1 ? `1 event, at ${since}` : `${count(events, "event")} since ${since}`;
  },
  isComputed: true,
  problems: ({ impact: { first_seen: first, last_seen: last } }) =>
    first !== null && last !== null && isLater(first, last) ? ["it was last seen before it was first seen"] : [],
  // A single event is the failure itself.
  isMoment: ({ impact }) => impact.events > 1,
});
