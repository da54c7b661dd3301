import type { Location } from "../reports/evidence.ts";
import type { Activity, ChangedFiles, Lifecycle, MuteEnd, Renewal, RenewalNews } from "./lifecycle.ts";
import { isRegressed } from "./lifecycle-machine.ts";

/** Why an incident is open again, as a sentence; null when it isn't. */
export function returnText(lifecycle: Lifecycle): string | null {
  const { state, by, returns, regressed } = lifecycle;
  if (isRegressed(lifecycle)) {
    const where = regressed?.release ? ` in release ${regressed.release}` : "";
    return `Regressed: the failure came back${where} after the incident was resolved.`;
  }
  // Null where a person reopened it.
  return state === "open" && returns > 0 && by === null
    ? "The failure continues, and the incident is no longer muted."
    : null;
}

/** Places and files that a sentence names; the others are counted. */
const namedMax = 2;

/** What a renewed report says is new, in sentences. */
export function renewalText({ why, release, release_before: before, same_cause: isSame, news }: Renewal): string {
  const where = release === null ? "" : ` in release ${release}`;
  const last = before === null || before === release ? "" : `, last seen in ${before}`;
  const what = why === "regressed" ? `The failure is back${where}${last}.` : `The failure also occurs${where}${last}.`;
  if (isSame === null) return `${what} The report below is from before; the investigation runs again.`;
  const cause = isSame ? "The cause is the same as before" : "The report names another cause than before";
  return [what, `${cause}${placeText(news)}.`, ...stepsText(news), ...filesText(news?.files ?? null)].join(" ");
}

function placeText(news: RenewalNews | null): string {
  const { before = null, after = null } = news?.place ?? {};
  if (after === null) return "";
  return before === null ? `, at ${placeOf(after)}` : `, at ${placeOf(after)} instead of ${placeOf(before)}`;
}

function stepsText(news: RenewalNews | null): string[] {
  if (news === null) return [];
  if (news.steps.length === 0) return news.place === null ? ["It comes about in the same places."] : [];
  return [`New on the way from it: ${listText(news.steps.map(placeOf))}.`];
}

function filesText(files: ChangedFiles | null): string[] {
  if (files === null) return [];
  const { named, more } = files;
  const count = named.length + more;
  if (count === 0) return ["No code, settings, or dependencies changed between the two releases."];
  if (named.length === 0) return [`${count} ${count === 1 ? "file" : "files"} changed between the two releases.`];
  return [`Changed between the two releases: ${listText(named, more)}.`];
}

function listText(texts: readonly string[], further = 0): string {
  const named = texts.slice(0, namedMax);
  const more = texts.length - named.length + further;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function placeOf({ file, line, function: name }: Location): string {
  return `${file}${line === null ? "" : `:${line}`}${name === null ? "" : ` (${name})`}`;
}

/** What ends a mute: `until 14:00` in the words of `time`, `until 100 more events`, `until it rises`. */
export function muteEndText(end: MuteEnd, time: (at: string) => string): string {
  if (end.kind === "time") return `until ${time(end.at)}`;
  if (end.kind === "events") return `until ${end.more} more ${end.more === 1 ? "event" : "events"}`;
  return "until it rises";
}

/** What happened to an incident, without its author: `muted it until it rises`. */
export function activityText(
  { kind, mute, resolved_in: how, release, to, incident }: Activity,
  time: (at: string) => string,
): string {
  const inRelease = release === null ? "" : ` in release ${release}`;
  const end = mute === null ? "" : ` ${muteEndText(mute, time)}`;
  switch (kind) {
    case "resolved":
      return how === "next-release" ? "resolved it in the next release" : "resolved it";
    case "muted":
      return `muted it${end}`;
    case "ignored":
      return "ignored it";
    case "reopened":
      return "reopened it";
    case "regressed":
      return `The failure came back${inRelease}: regressed`;
    case "unmuted":
      return `The mute${end} ended`;
    case "new-release":
      return `The failure occurs${inRelease}: investigated again`;
    case "taken":
      return "took it";
    case "handed-over":
      return `handed it over to ${to?.name ?? "someone"}`;
    case "assigned":
      return `An ownership rule made ${to?.name ?? "someone"} the owner`;
    case "let-go":
      return "let it go";
    case "acknowledged":
      return "acknowledged it";
    case "commented":
      return "commented";
    case "pull-request":
      return "opened a draft pull request with its patch";
    case "merged":
      return `merged another incident into it: ${incident?.title ?? "one that was deleted"}`;
    case "merged-into":
      return `merged it into another incident: ${incident?.title ?? "one that was deleted"}`;
    case "split-off":
      return `made an incident of its own of ${incident?.title ?? "a failure"}`;
    case "unmerged":
      return "made it an incident of its own again";
  }
}
