import { secondMs } from "@whence/protocol";
import type { Circumstances } from "@whence/storage";
import { type Check, examples, type Look, quote, type WatchOf } from "../look.ts";
import { type Life, livesSince, startedSince } from "./lives.ts";

/** How far back to look for the start of the process that failed. */
const lifeMaxMs = 604_800_000;
/** "About as long" means at least half as long; "soon" means within a quarter. */
const longEnough = 0.5;
const tooSoon = 0.25;

/** Upheld when a process started since runs without failing about as long as the first one did; refuted when one fails soon. */
export const restartClears: Check<"restart-clears"> = async (watch, look) => {
  const cleanMs = await lifeBefore(watch, look);
  if (cleanMs === null)
    return { outcome: "open", reason: "how long the process ran before it failed is unknown", counts: {} };
  const started = await startedSince(watch, look);
  const failures = await examples(watch, look);
  const runs = started.map((life) => runOf(life, failures, look));
  const counts = { started: started.length, clean_seconds_before: Math.round(cleanMs / secondMs) };
  const soon = runs.find(({ failure, cleanMs: ran }) => failure !== null && ran < cleanMs * tooSoon);
  if (soon?.failure) {
    const reason = `a process failed ${seconds(soon.cleanMs)} s after its start; the first one ran for ${seconds(cleanMs)} s`;
    return { outcome: "refuted", reason, counts, excerpt: quote(soon.failure) };
  }
  const longest = Math.max(0, ...runs.map(({ cleanMs: ran }) => ran));
  if (longest >= cleanMs * longEnough) {
    const reason = `a process started since has run for ${seconds(longest)} s without failing; the first one ran for ${seconds(cleanMs)} s`;
    return { outcome: "upheld", reason, counts };
  }
  const reason =
    started.length === 0
      ? "no process has started since"
      : `the longest run so far is ${seconds(longest)} s, which is too short to tell`;
  return { outcome: "open", reason, counts };
};

/** How long the process that failed ran before the report; null when its start isn't known. */
async function lifeBefore(watch: WatchOf<"restart-clears">, look: Look): Promise<number | null> {
  const lives = await livesSince(watch, look, look.from - lifeMaxMs);
  const life = lives.find(({ instance }) => instance === watch.instance);
  const ms = life ? Math.min(look.from, Date.parse(life.lastAt)) - Date.parse(life.firstAt) : 0;
  return ms > 0 ? ms : null;
}

/** How long a process ran without failing, and the failure that ended that. */
function runOf({ instance, firstAt, lastAt }: Life, failures: readonly Circumstances[], { to }: Look) {
  // Newest first: the last of them is the earliest known.
  const failure = failures.findLast((event) => event.instance === instance) ?? null;
  const until = failure ? Date.parse(failure.at) : Math.min(to, Date.parse(lastAt));
  return { failure, cleanMs: Math.max(0, until - Date.parse(firstAt)) };
}

function seconds(ms: number): number {
  return Math.round(ms / secondMs);
}
