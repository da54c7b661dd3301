import type { EndKind, PossibleEnd } from "./assess.ts";

/** How surely readings say how a process ended; below the last one they speak against it. */
const sureness = [
  [0.8, "sure"],
  [0.5, "likely"],
  [0.2, "possible"],
] as const;
type Sureness = (typeof sureness)[number][1] | "unlikely";

const words: Readonly<Record<EndKind, Readonly<Record<Sureness, string>>>> = {
  "out-of-memory": {
    sure: "ran out of memory",
    likely: "likely ran out of memory",
    possible: "may have run out of memory",
    unlikely: "is unlikely to have run out of memory",
  },
  hung: {
    sure: "stands still, or stood still when it was ended",
    likely: "likely stands still, or stood still when it was ended",
    possible: "may stand still, or have stood still when it was ended",
    unlikely: "is unlikely to stand still, or to have stood still when it was ended",
  },
  killed: {
    sure: "was ended from outside",
    likely: "was likely ended from outside",
    possible: "may have been ended from outside",
    unlikely: "is unlikely to have been ended from outside",
  },
};

const whatElseEndsRounds = ", as a failing start-up or liveness probe does; a crash in native code looks the same";

/** How a process ended, as surely as its readings say it; in a loop nobody need have ended it. */
export function endText({ kind, likelihood }: PossibleEnd, isLoop: boolean): string {
  const [, sure] = sureness.find(([from]) => likelihood >= from) ?? [0, "unlikely"];
  return `${words[kind][sure]}${isLoop && kind === "killed" ? whatElseEndsRounds : ""}`;
}
