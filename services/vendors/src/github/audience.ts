import { z } from "zod";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { orAbsent } from "../http/or-absent.ts";
import { type IssuePlace, repositoryPath } from "./issue.ts";

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
const repositorySchema = z.object({ private: z.boolean(), visibility: z.string().optional() });

/**
 * Everyone can read a public repository, and everyone in the enterprise an internal one, which GitHub also marks as
 * private.
 */
export async function isPublic({ http }: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<boolean> {
  const { body } = await http.json({ path: repositoryPath(place), schema: repositorySchema }, signal);
  return !body.private || (body.visibility ?? "private") !== "private";
}

/**
 * GitHub lets issues be assigned to a repository's owner, its collaborators, and members of its organization who may
 * read it, which distinguishes them from strangers. The `author_association` of a text doesn't: it is `NONE` or
 * `CONTRIBUTOR` for a member whose membership is private.
 * https://docs.github.com/en/rest/issues/assignees#check-if-a-user-can-be-assigned
 *
 * An application has no role. In a private repository, an owner let it in; in a public one, a stranger may have made it
 * act.
 */
export async function isAskedByMember(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<boolean> {
  const { asker, app } = place;
  if (app === "true") return !(await isPublic(api, place, signal));
  if (asker === undefined) return false;
  const path = `${repositoryPath(place)}/assignees/${encodeURIComponent(asker)}`;
  // Expects no content: a page from something in between isn't GitHub's consent.
  return (await orAbsent(api.http.text({ path }, signal)))?.body === "";
}
