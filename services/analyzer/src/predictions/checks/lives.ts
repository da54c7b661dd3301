import type { Watch } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { iso, type Look } from "../look.ts";

const livesRead = 500;

/** One process, from its first telemetry to its last. */
export type Life = Awaited<ReturnType<ScopedEvents["lives"]>>[number];

/** Processes of the service whose first telemetry arrived within the prediction's span. */
export async function startedSince(watch: Watch, look: Look): Promise<Life[]> {
  const lives = await livesSince(watch, look, look.from);
  return lives.filter(({ firstAt }) => Date.parse(firstAt) >= look.from && Date.parse(firstAt) < look.to);
}

/** Processes of the service that sent telemetry at that time or later. */
export function livesSince({ service, env }: Watch, { events }: Look, since: number): Promise<readonly Life[]> {
  return events.lives({ service, env, since: iso(since), limit: livesRead });
}
