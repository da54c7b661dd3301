import { type Lifecycle, type LifecycleChange, type MuteEnd, moreEventsMax, muteEndText } from "@whence/protocol";
import { changeEach } from "./change-each.ts";
import { type Command, type CommandLine, hasFlag, textOption, UsageError } from "./command.ts";
import { durationMs } from "./time-option.ts";

/** `whence resolve`: marks incidents as resolved. */
export const resolve: Command = lifecycleCommand({
  name: "resolve",
  summary: "mark incidents as resolved",
  options: {
    "next-release": {
      type: "boolean",
      description: "the fix comes with the next release: events of those so far are old",
    },
  },
  details: "When the failure comes back, the incident is open again, as a regression, and is investigated again.",
  changeOf: (line) => ({ action: "resolve", in: hasFlag(line, "next-release") ? "next-release" : "now" }),
});

/** `whence mute`: stops the notifications about incidents until something ends the mute. */
export const mute: Command = lifecycleCommand({
  name: "mute",
  summary: "stop an incident's notifications for a while",
  options: {
    for: { type: "string", value: "TIME", description: "for so long: 30m, 2h, 7d" },
    events: { type: "string", value: "N", description: "until so many more events of its failure" },
    rise: { type: "boolean", description: "until its failure becomes much more frequent" },
  },
  details: "When the mute ends and the failure continues, the incident is open again, and its rules notify again.",
  changeOf: (line, now) => ({ action: "mute", until: muteEnd(line, now) }),
});

/** `whence ignore`: marks incidents as nothing to care about. */
export const ignore: Command = lifecycleCommand({
  name: "ignore",
  summary: "mark incidents as nothing to care about",
  options: {},
  details: "Nothing is notified, however often the failure occurs, until someone reopens the incident.",
  changeOf: () => ({ action: "ignore" }),
});

/** `whence reopen`: opens incidents again. */
export const reopen: Command = lifecycleCommand({
  name: "reopen",
  summary: "open resolved, muted, or ignored incidents again",
  options: {},
  details: "",
  changeOf: () => ({ action: "reopen" }),
});

interface LifecycleCommand extends Pick<Command, "name" | "summary" | "options" | "details"> {
  /** The change that a command line asks for, at a time in milliseconds since 1970. */
  readonly changeOf: (line: CommandLine, now: number) => LifecycleChange;
}

function lifecycleCommand({ changeOf, ...command }: LifecycleCommand): Command {
  return changeEach({
    ...command,
    changeOf: (line, now) => {
      const change = changeOf(line, now);
      return (agent, id, signal) => agent.changeLifecycle(id, change, signal);
    },
    said: ({ lifecycle }) => `is ${stateText(lifecycle)}`,
  });
}

/** What people decided about an incident: `muted until 2026-03-01T12:00:00.000Z`. */
export function stateText({ state, mute: end, resolved_in: how }: Lifecycle): string {
  if (end !== null) return `${state} ${muteEndText(end, (at) => at)}`;
  return how === "next-release" ? `${state} in the next release` : state;
}

function muteEnd(line: CommandLine, now: number): MuteEnd {
  const ends = [timeEnd(line, now), eventsEnd(line), hasFlag(line, "rise") ? ({ kind: "rise" } as const) : undefined];
  const [end, ...others] = ends.filter((one) => one !== undefined);
  if (end === undefined || others.length > 0) throw new UsageError("whence mute takes one of --for, --events, --rise");
  return end;
}

function timeEnd(line: CommandLine, now: number): MuteEnd | undefined {
  const text = textOption(line, "for");
  if (text === undefined) return undefined;
  const ms = durationMs(text);
  if (ms !== null && ms > 0) return { kind: "time", at: new Date(now + ms).toISOString() };
  throw new UsageError(`--for takes a time such as 30m, 2h, or 7d, but got "${text.slice(0, 60)}"`);
}

function eventsEnd(line: CommandLine): MuteEnd | undefined {
  const text = textOption(line, "events");
  if (text === undefined) return undefined;
  const more = Number(text);
  if (/^\d+$/.test(text) && more >= 1 && more <= moreEventsMax) return { kind: "events", more };
  throw new UsageError(`--events takes a number from 1 to ${moreEventsMax}, but got "${text.slice(0, 60)}"`);
}
