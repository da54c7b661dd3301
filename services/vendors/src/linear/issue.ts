import type { Severity } from "@whence/protocol";
import { z } from "zod";
import type { Discussion } from "../conversations/conversation-vendor.ts";
import { readEveryPage } from "../http/read-pages.ts";
import { optionalText, scalar, time } from "../text/fields.ts";
import { linkFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import type { LinearApi } from "./api.ts";
import { plainFromLinear } from "./text.ts";

/** Linear's default, which keeps a query below its complexity limit. */
const perPage = 50;

const issueQuery = `query Issue($id: String!, $first: Int, $after: String) {
  issue(id: $id) {
    identifier title description url createdAt priority
    creator { displayName }
    team { name }
    labels { nodes { name } }
    attachments(first: $first) { nodes { title subtitle url createdAt metadata } }
    comments(first: $first, after: $after) {
      nodes {
        body createdAt isArtificialAgentSessionRoot
        user { displayName isMe }
        externalUser { displayName }
        botActor { name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** https://linear.app/developers/attachments: integrations such as Sentry's describe what they link to in it. */
const metadataSchema = z
  .object({
    messages: z.array(z.object({ subject: optionalText, body: optionalText })).nullish(),
    attributes: z.array(z.object({ name: z.string(), value: scalar })).nullish(),
  })
  .catch({});
const attachmentSchema = z.object({
  title: z.string(),
  subtitle: optionalText,
  url: z.string(),
  createdAt: time,
  metadata: metadataSchema,
});
type Attachment = z.infer<typeof attachmentSchema>;

const named = z.object({ displayName: z.string() }).nullable();
const commentSchema = z.object({
  body: z.string(),
  createdAt: time,
  /** Linear's own comment, at the start of a session that has no other. */
  isArtificialAgentSessionRoot: z.boolean(),
  user: z.object({ displayName: z.string(), isMe: z.boolean() }).nullable(),
  externalUser: named,
  botActor: z.object({ name: optionalText }).nullable(),
});
type Comment = z.infer<typeof commentSchema>;

const issueSchema = z.object({
  identifier: z.string(),
  title: z.string(),
  description: optionalText,
  url: z.string(),
  createdAt: time,
  priority: z.number(),
  creator: named,
  team: z.object({ name: z.string() }),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  attachments: z.object({ nodes: z.array(attachmentSchema) }),
  comments: z.object({
    nodes: z.array(commentSchema),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});
type Issue = z.infer<typeof issueSchema>;
const answerSchema = z.object({ issue: issueSchema });

/** By Linear's numbers; 0 means no priority. https://linear.app/docs/priority */
const severities: readonly (Severity | null)[] = [null, "critical", "high", "medium", "low"];

/** Returns an issue with its attachments and its first 250 comments. */
export async function readIssue(api: LinearApi, id: string, signal: AbortSignal): Promise<Discussion> {
  const issue = await pageOf(api, { id, after: null }, signal);
  const { items: comments } = await readEveryPage<Comment, string>(async (after) => {
    const { nodes, pageInfo } = (after === null ? issue : await pageOf(api, { id, after }, signal)).comments;
    return { items: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  });
  return {
    title: titleFrom(issue.title, issue.identifier),
    text: textOf(issue, comments),
    at: issue.createdAt,
    url: linkFrom(issue.url),
    severity: severities[issue.priority] ?? null,
  };
}

async function pageOf(api: LinearApi, at: { id: string; after: string | null }, signal: AbortSignal): Promise<Issue> {
  const variables = { ...at, first: perPage };
  return (await api.ask({ query: issueQuery, variables, schema: answerSchema }, signal)).issue;
}

function textOf(issue: Issue, comments: readonly Comment[]): string {
  const said = [
    ...issue.attachments.nodes.map((attachment) => ({ at: attachment.createdAt, text: attachmentText(attachment) })),
    ...comments.filter(isOfOthers).map((comment) => ({ at: comment.createdAt, text: commentText(comment) })),
  ];
  const labels = issue.labels.nodes.map(({ name }) => name).join(", ");
  return textFrom(
    issue.title,
    `- team = ${issue.team.name}`,
    labels && `- labels = ${labels}`,
    issue.description && `\n${plainFromLinear(issue.description)}`,
    ...said.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ text }) => `\n${text}`),
  );
}

function isOfOthers({ user, isArtificialAgentSessionRoot }: Comment): boolean {
  return !isArtificialAgentSessionRoot && user?.isMe !== true;
}

function commentText({ body, user, externalUser, botActor }: Comment): string {
  const author = user?.displayName ?? externalUser?.displayName ?? botActor?.name ?? "Linear";
  return `${author}:\n${plainFromLinear(body)}`;
}

function attachmentText({ title, subtitle, url, metadata }: Attachment): string {
  const messages = (metadata.messages ?? []).flatMap(({ subject, body }) => [subject, body && plainFromLinear(body)]);
  const attributes = (metadata.attributes ?? []).map(({ name, value }) => `- ${name} = ${String(value)}`);
  return [title, subtitle, url, ...messages, ...attributes].filter(Boolean).join("\n");
}
