import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Events that Bugsink, GlitchTip, and Sentry published: MIT and Apache 2.0. They are fetched, and not kept here. */
const address = "https://github.com/bugsink/event-samples.git";
const commit = "19151dcdbf876e4dc4fea0252c3a4930499ef994";

const eventSchema = z.record(z.string(), z.unknown());

/** One published event. */
export interface Sample {
  /** Its path in the collection. */
  readonly name: string;
  /** Null when the file isn't an event. */
  readonly event: Readonly<Record<string, unknown>> | null;
  readonly text: string;
}

/** Fetches the collection into a folder. */
export function fetchSamples(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init");
  git("fetch", "--depth", "1", address, commit);
  git("checkout", "FETCH_HEAD");
}

/** Reads the events of a collection, in the order of their paths. */
export function readSamples(folder: string): readonly Sample[] {
  const names = globSync("{bugsink,glitchtip,sentry}/**/*.json", { cwd: folder }).sort();
  return names.map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return { name, text, event: eventOf(text) };
  });
}

function eventOf(text: string): Sample["event"] {
  try {
    return eventSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
