import { z } from "zod";
import type { ConversationStatus } from "../conversations/conversation-vendor.ts";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { orAbsent } from "../http/or-absent.ts";
import { type IssuePlace, issuePath, repositoryPath } from "./issue.ts";

/** https://docs.github.com/en/rest/reactions/reactions#about-reactions */
const contents: Readonly<Record<ConversationStatus, string>> = {
  PROCESSING: "eyes",
  COMPLETED: "rocket",
  FAILED: "confused",
};
const reactionSchema = z.object({ id: z.int(), content: z.string(), user: z.object({ id: z.int() }).nullable() });
const perPage = 100;

/** Reacts to the comment or issue that asked, and removes the bot's reaction for another state. */
export async function showReaction(
  { http, botId }: TrackerAsBot,
  place: IssuePlace,
  status: ConversationStatus | null,
  signal: AbortSignal,
): Promise<void> {
  const asking =
    place.comment === undefined ? issuePath(place) : `${repositoryPath(place)}/issues/comments/${place.comment}`;
  const path = `${asking}/reactions`;
  const shown = status === null ? null : contents[status];
  if (shown !== null) {
    // GitHub responds to a repeated reaction with the existing one.
    await http.json({ method: "POST", path, json: { content: shown }, schema: reactionSchema }, signal);
  }
  for (const content of Object.values(contents).filter((other) => other !== shown)) {
    const query = { content, per_page: perPage };
    const { body } = await http.json({ path, query, schema: z.array(reactionSchema) }, signal);
    for (const { id, user } of body) {
      if (String(user?.id) === botId) await orAbsent(http.text({ method: "DELETE", path: `${path}/${id}` }, signal));
    }
  }
}
