import { z } from "zod";
import type { Place } from "../alert-senders/announcement.ts";
import type { Discussion, PostOptions } from "../conversations/conversation-vendor.ts";
import { discussionText } from "../conversations/discussion-text.ts";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { severityOfLabels } from "../conversations/label-severity.ts";
import { markedMessage, markerOf } from "../conversations/marked-message.ts";
import type { MessageDocument } from "../conversations/message-document.ts";
import { orAbsent } from "../http/or-absent.ts";
import { type ReadList, readEveryPage } from "../http/read-pages.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import { time } from "../text/fields.ts";
import { linkFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";
import { withoutQuickActions } from "./quick-actions.ts";

const number = z.string().regex(/^\d+$/);
/** An issue, the note that asked, the thread of that note, and the ID of the requester. */
const placeSchema = z.object({
  project: number,
  issue: number,
  note: number.optional(),
  discussion: z.string().optional(),
  internal: z.literal("true").optional(),
  asker: number.optional(),
});
export type IssuePlace = z.infer<typeof placeSchema>;

/** Returns the place that the webhook of a request contained. */
export function placeOf(place: Place): IssuePlace {
  return placeSchema.parse(place);
}

/** https://docs.gitlab.com/api/issues/#single-project-issue; incidents have a severity of their own. */
const issueSchema = z.object({
  title: z.string(),
  description: z.string().nullish(),
  created_at: time,
  web_url: z.string(),
  labels: z.array(z.string()),
  severity: z.string().nullish(),
});
/** https://docs.gitlab.com/api/notes/#list-all-issue-notes */
const noteSchema = z.object({
  id: z.int(),
  body: z.string(),
  created_at: time,
  system: z.boolean(),
  internal: z.boolean().nullish(),
  author: z.object({ id: z.int(), username: z.string() }),
});
type Note = z.infer<typeof noteSchema>;
const notesSchema = z.array(noteSchema);
const postedSchema = z.object({ id: z.int() });

/** Maximum length of a note at GitLab. https://docs.gitlab.com/api/notes/#create-an-issue-note */
const noteLengthMax = 1_000_000;
/** Notes may be long: this many fit into a response. */
const perPage = 50;
/** A message whose response was lost is among the newest notes. */
const pagesSearched = 3;

/** Returns the issue with its newest notes. Internal notes are read only when the request is in one. */
export async function readIssue(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<Discussion> {
  const { body: issue } = await api.http.json({ path: issuePath(place), schema: issueSchema }, signal);
  const { items: notes, isWhole } = await newestNotes(api, place, vendorLimits.pagesMax, signal);
  const statements = notes
    .filter(({ system, author }) => !system && String(author.id) !== api.botId)
    .filter(({ internal }) => internal !== true || place.internal === "true")
    .map(({ author, created_at: at, body }) => ({ author: author.username, at, text: body }));
  return {
    title: titleFrom(issue.title, `Issue ${place.issue}`),
    text: discussionText(issue.description ?? "", statements.toReversed(), isWhole),
    at: issue.created_at,
    url: linkFrom(issue.web_url),
    severity: severityFrom(issue.severity) ?? severityOfLabels(issue.labels),
  };
}

/**
 * Replies to the note that asked, or edits the one that it replaces. An existing note with the same key is left as it
 * is.
 */
export async function postNote(
  api: TrackerAsBot,
  place: IssuePlace,
  message: MessageDocument,
  { replaces, key, signal }: PostOptions,
): Promise<string> {
  const { http, botId } = api;
  const json = { body: withoutQuickActions(markedMessage(message, key, noteLengthMax)) };
  if (replaces !== null) {
    const path = `${issuePath(place)}/notes/${encodeURIComponent(replaces)}`;
    const edited = await orAbsent(http.json({ method: "PUT", path, json, schema: postedSchema }, signal));
    if (edited) return String(edited.body.id);
  }
  const { items: notes } = await newestNotes(api, place, pagesSearched, signal);
  const there = notes.find(({ author, body }) => String(author.id) === botId && body.includes(markerOf(key)));
  return String((there ?? (await createNote(api, place, json, signal))).id);
}

/**
 * Posts in the thread of the note that asked, which stays internal if it is; below the issue when that thread is gone.
 */
async function createNote(
  { http }: TrackerAsBot,
  place: IssuePlace,
  json: { readonly body: string },
  signal: AbortSignal,
): Promise<z.infer<typeof postedSchema>> {
  const asked = { method: "POST", isUnrepeatable: true, schema: postedSchema } as const;
  if (place.discussion !== undefined) {
    const path = `${issuePath(place)}/discussions/${encodeURIComponent(place.discussion)}/notes`;
    const reply = await orAbsent(http.json({ ...asked, path, json }, signal));
    if (reply) return reply.body;
  }
  const internal = place.internal === "true" ? { internal: true } : {};
  return (await http.json({ ...asked, path: `${issuePath(place)}/notes`, json: { ...json, ...internal } }, signal))
    .body;
}

/** Returns the newest first. */
function newestNotes(
  { http }: TrackerAsBot,
  place: IssuePlace,
  pagesMax: number,
  signal: AbortSignal,
): Promise<ReadList<Note>> {
  const path = `${issuePath(place)}/notes`;
  const common = { sort: "desc", order_by: "created_at", activity_filter: "only_comments", per_page: perPage };
  const read = async (page: string | null) => {
    const { body, headers } = await http.json(
      { path, query: { ...common, page: page ?? "1" }, schema: notesSchema },
      signal,
    );
    return { items: body, next: headers["x-next-page"] || null };
  };
  return readEveryPage(read, pagesMax);
}

export function issuePath({ project, issue }: IssuePlace): string {
  return `/projects/${project}/issues/${issue}`;
}
