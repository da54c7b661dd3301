import { z } from "zod";
import type { Place } from "../alert-senders/announcement.ts";
import type { Discussion, PostOptions } from "../conversations/conversation-vendor.ts";
import { discussionText } from "../conversations/discussion-text.ts";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { severityOfLabels } from "../conversations/label-severity.ts";
import { markedMessage, markerOf } from "../conversations/marked-message.ts";
import type { MessageDocument } from "../conversations/message-document.ts";
import { orAbsent } from "../http/or-absent.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import { time } from "../text/fields.ts";
import { linkFrom, titleFrom } from "../text/plain-text.ts";
import { pathOfRepository } from "./requests.ts";

/** An issue, the comment that asked, and the login of the requester; `app` for an application. */
const placeSchema = z.object({
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  issue: z.string().regex(/^\d+$/),
  comment: z.string().regex(/^\d+$/).optional(),
  asker: z
    .string()
    .regex(/^[\w[\]-]+$/)
    .optional(),
  app: z.literal("true").optional(),
});
export type IssuePlace = z.infer<typeof placeSchema>;

/** Returns the place that the webhook of a request contained. */
export function placeOf(place: Place): IssuePlace {
  return placeSchema.parse(place);
}

const accountSchema = z.object({ id: z.int(), login: z.string() }).nullable();
/** https://docs.github.com/en/rest/issues/issues#get-an-issue */
const issueSchema = z.object({
  title: z.string(),
  body: z.string().nullish(),
  created_at: time,
  html_url: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
});
/** https://docs.github.com/en/rest/issues/comments#list-issue-comments */
const commentSchema = z.object({ id: z.int(), body: z.string().nullish(), created_at: time, user: accountSchema });
type IssueComment = z.infer<typeof commentSchema>;
const commentsSchema = z.array(commentSchema);
/** https://docs.github.com/en/rest/issues/comments#create-an-issue-comment */
const postedSchema = z.object({ id: z.int() });

/** Maximum length of a comment at GitHub. */
const commentLengthMax = 65_536;
/** Comments may be long: this many fit into a response. */
const perPage = 50;
/** A message whose response was lost is among the newest comments. */
const pagesSearched = 3;
const lastPage = /[?&]page=(\d+)[^>]*>;\s*rel="last"/;

/** Returns the issue with its newest comments. */
export async function readIssue(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<Discussion> {
  const { http, botId } = api;
  const { body: issue } = await http.json({ path: issuePath(place), schema: issueSchema }, signal);
  const { comments, isWhole } = await newestComments(api, place, vendorLimits.pagesMax, signal);
  const statements = comments
    .filter(({ user }) => String(user?.id) !== botId)
    .map(({ user, created_at: at, body }) => ({ author: user?.login ?? "ghost", at, text: body ?? "" }));
  return {
    title: titleFrom(issue.title, `Issue ${place.issue}`),
    text: discussionText(issue.body ?? "", statements, isWhole),
    at: issue.created_at,
    url: linkFrom(issue.html_url),
    severity: severityOfLabels(issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? "")))),
  };
}

/** Posts a comment, or edits the one that it replaces. An existing comment with the same key is left as it is. */
export async function postComment(
  api: TrackerAsBot,
  place: IssuePlace,
  message: MessageDocument,
  { replaces, key, signal }: PostOptions,
): Promise<string> {
  const json = { body: markedMessage(message, key, commentLengthMax) };
  if (replaces !== null) {
    const path = `${repositoryPath(place)}/issues/comments/${encodeURIComponent(replaces)}`;
    const edited = await orAbsent(api.http.json({ method: "PATCH", path, json, schema: postedSchema }, signal));
    if (edited) return String(edited.body.id);
  }
  const { comments } = await newestComments(api, place, pagesSearched, signal);
  const there = comments.find(({ user, body }) => String(user?.id) === api.botId && body?.includes(markerOf(key)));
  if (there) return String(there.id);
  const path = `${issuePath(place)}/comments`;
  const asked = { method: "POST", path, json, isUnrepeatable: true, schema: postedSchema } as const;
  return String((await api.http.json(asked, signal)).body.id);
}

/** GitHub lists the oldest first. */
async function newestComments(
  { http }: TrackerAsBot,
  place: IssuePlace,
  pagesMax: number,
  signal: AbortSignal,
): Promise<{ readonly comments: readonly IssueComment[]; readonly isWhole: boolean }> {
  const path = `${issuePath(place)}/comments`;
  const read = (page: number) =>
    http.json({ path, query: { per_page: perPage, page }, schema: commentsSchema }, signal);
  const first = await read(1);
  const last = Number(lastPage.exec(first.headers.link ?? "")?.[1] ?? 1);
  const isWhole = last <= pagesMax;
  const comments = isWhole ? [...first.body] : [];
  for (let page = Math.max(2, last - pagesMax + 1); page <= last; page += 1) comments.push(...(await read(page)).body);
  return { comments, isWhole };
}

/** Returns the part of a path that names a repository. */
export function repositoryPath({ repository }: IssuePlace): string {
  return pathOfRepository(repository);
}

export function issuePath(place: IssuePlace): string {
  return `${repositoryPath(place)}/issues/${place.issue}`;
}
