import type { AnnouncedFailure, ParsedError } from "@whence/engine";
import { conversationPage, dayMs, type Trigger } from "@whence/protocol";
import type { ScopedEvents, StoredIncident } from "@whence/storage";
import { knownReleases, type ReportedReleases } from "../releases/known-releases.ts";
import { readAnnounced } from "../triggers/read-announced.ts";

const servicesMax = 500;
/** Shorter names are too common in sentences. */
const nameUnitsMin = 3;
const sentenceUnitsMax = 4_000;
/** Synonyms of one environment, because senders and clients each use their own. */
const production: ReadonlySet<string> = new Set(["prod", "production", "live"]);
const releaseLabels = ["release", "version", "service_version", "app_version"] as const;

/** The data in which an announced failure is looked up. */
interface Known {
  readonly events: ScopedEvents;
  readonly reported: ReportedReleases;
}

/** A service in an environment. */
interface Place {
  readonly service: string;
  readonly env: string;
}

/**
 * The details of an announced failure: its service as telemetry names it, and the release it ran then. Null for a text
 * that no one announced, which is investigated on its own.
 */
export async function announcedFailure(
  incident: Pick<StoredIncident, "trigger" | "created_at" | "title" | "service" | "env">,
  text: string,
  { events, reported }: Known,
): Promise<AnnouncedFailure | null> {
  const at = announcedAt(incident);
  if (at === null) return null;
  const error = readAnnounced(text);
  const since = new Date(Date.parse(at) - dayMs).toISOString();
  const [seen, reports] = await Promise.all([
    events.services({ since, aliveSince: since, limit: servicesMax }),
    reported.list(),
  ]);
  const place = placeIn([...seen, ...reports], incident, `${incident.title}\n${error.headline}`);
  const page = conversationPage(incident.trigger);
  const where = page === null ? {} : { page };
  if (!place)
    return { service: incident.service, env: incident.env, release: null, at, isInTelemetry: false, ...where };
  const isInTelemetry = seen.some(({ service, env }) => service === place.service && env === place.env);
  const release = releaseNamed(error) ?? (await releaseThen(place, at, { events, reported }));
  return { ...place, release, at, isInTelemetry, ...where };
}

/** When a failure was announced, at the latest when its incident opened; null for a text that no one announced. */
function announcedAt({ trigger, created_at: openedAt }: Pick<StoredIncident, "trigger" | "created_at">): string | null {
  if (!isAnnouncing(trigger)) return null;
  const isBefore = Date.parse(trigger.at) < Date.parse(openedAt);
  return new Date(isBefore ? trigger.at : openedAt).toISOString();
}

function isAnnouncing(trigger: Trigger): trigger is Extract<Trigger, { readonly at: string }> {
  return "at" in trigger;
}

/** The known service with this name, or the only known service in the sentence, preferably in the named environment. */
function placeIn(known: readonly Place[], { service, env }: Pick<StoredIncident, "service" | "env">, sentence: string) {
  const there = known.filter((one) => env === null || isSameEnv(one.env, env));
  const named = there.filter((one) => (service === null ? names(sentence, one.service) : isSame(one.service, service)));
  const isOne = new Set(named.map((one) => one.service)).size === 1;
  const [place] = named.toSorted((one, other) => rankOf(one) - rankOf(other));
  return isOne && place ? { service: place.service, env: place.env } : null;
}

/** Alerts that name no environment are mostly about production. */
function rankOf({ env }: Place): number {
  return production.has(env.toLowerCase()) ? 0 : 1;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isSameEnv(one: string, other: string): boolean {
  return isSame(one, other) || [one, other].every((env) => production.has(env.toLowerCase()));
}

/** Whether a sentence has a service's name as a word. */
function names(sentence: string, service: string): boolean {
  if (service.length < nameUnitsMin) return false;
  const words = sentence
    .slice(0, sentenceUnitsMax)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u);
  return words.includes(service.toLowerCase());
}

function releaseNamed({ alert }: ParsedError): string | null {
  return releaseLabels.flatMap((label) => alert?.labels[label] ?? [])[0] ?? null;
}

/** The last release that began before `at`. */
async function releaseThen({ service, env }: Place, at: string, { events, reported }: Known): Promise<string | null> {
  const since = new Date(Date.parse(at) - dayMs).toISOString();
  const releases = await knownReleases(events, reported, { env, since });
  const [last] = releases
    .filter((one) => one.service === service && one.release !== "" && Date.parse(one.firstAt) <= Date.parse(at))
    .toSorted((one, other) => Date.parse(other.firstAt) - Date.parse(one.firstAt));
  return last?.release ?? null;
}
