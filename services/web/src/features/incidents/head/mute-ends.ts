import { hourMs, type MuteEnd } from "@whence/protocol";

type NamedEnds = readonly (readonly [label: string, end: (now: number) => MuteEnd])[];

/** The ends of a mute that menus offer. */
export const timeEnds: NamedEnds = [
  ["For 2 hours", (now) => ({ kind: "time", at: new Date(now + 2 * hourMs).toISOString() })],
  ["For a day", (now) => ({ kind: "time", at: new Date(now + 24 * hourMs).toISOString() })],
  ["For a week", (now) => ({ kind: "time", at: new Date(now + 7 * 24 * hourMs).toISOString() })],
];

/** Those that are counted, for incidents of telemetry. */
export const countedEnds: NamedEnds = [
  ["Until it rises", () => ({ kind: "rise" })],
  ["Until 100 more events", () => ({ kind: "events", more: 100 })],
];
