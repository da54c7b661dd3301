import { z } from "zod";
import type { ConversationStatus } from "../conversations/conversation-vendor.ts";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { orAbsent } from "../http/or-absent.ts";
import { type IssuePlace, issuePath } from "./issue.ts";

/** https://docs.gitlab.com/user/emoji_reactions/ */
const names: Readonly<Record<ConversationStatus, string>> = {
  PROCESSING: "eyes",
  COMPLETED: "white_check_mark",
  FAILED: "x",
};
/** https://docs.gitlab.com/api/emoji_reactions/ */
const reactionSchema = z.object({ id: z.int(), name: z.string(), user: z.object({ id: z.int() }) });
const perPage = 100;

/** Reacts to the note or issue that asked, and removes the bot's reaction for another state. */
export async function showReaction(
  { http, botId }: TrackerAsBot,
  place: IssuePlace,
  status: ConversationStatus | null,
  signal: AbortSignal,
): Promise<void> {
  const asking = place.note === undefined ? issuePath(place) : `${issuePath(place)}/notes/${place.note}`;
  const path = `${asking}/award_emoji`;
  const { body } = await http.json({ path, query: { per_page: perPage }, schema: z.array(reactionSchema) }, signal);
  const shown = status === null ? null : names[status];
  const own = body.filter(({ name, user }) => String(user.id) === botId && Object.values(names).includes(name));
  if (shown !== null && !own.some(({ name }) => name === shown)) {
    // GitLab responds with 404 for a reaction that another attempt added in the meantime.
    await orAbsent(http.json({ method: "POST", path, json: { name: shown }, schema: reactionSchema }, signal));
  }
  for (const { id } of own.filter(({ name }) => name !== shown)) {
    await orAbsent(http.text({ method: "DELETE", path: `${path}/${id}` }, signal));
  }
}
