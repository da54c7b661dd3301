import { z } from "zod";
import type { TrackerAsBot } from "../conversations/issue-tracker.ts";
import { orAbsent } from "../http/or-absent.ts";
import type { IssuePlace } from "./issue.ts";

/** https://docs.gitlab.com/api/projects/#retrieve-a-project */
const projectSchema = z.object({ visibility: z.string() });
/** https://docs.gitlab.com/api/project_members/#retrieve-a-member-of-a-project-including-inherited-and-invited-members */
const memberSchema = z.object({ id: z.int(), state: z.string(), access_level: z.int() });
/** https://docs.gitlab.com/user/permissions/: customers and other outsiders, who may not read the code. */
const guestLevel = 10;

/**
 * Everyone who signs in to the instance can read an internal project, which at gitlab.com is anyone. A confidential
 * issue of a public project can be read by the person who opened it, so it counts as public.
 */
export async function isPublic({ http }: TrackerAsBot, { project }: IssuePlace, signal: AbortSignal): Promise<boolean> {
  const { body } = await http.json({ path: `/projects/${project}`, schema: projectSchema }, signal);
  return body.visibility !== "private";
}

/**
 * Returns whether the requester is a member of the project, its groups, or invited groups, above guest. Bots of access
 * tokens are members too.
 */
export async function isAskedByMember(
  { http }: TrackerAsBot,
  { project, asker }: IssuePlace,
  signal: AbortSignal,
): Promise<boolean> {
  if (asker === undefined) return false;
  const path = `/projects/${project}/members/all/${asker}`;
  const found = await orAbsent(http.json({ path, schema: memberSchema }, signal));
  return found !== null && found.body.state === "active" && found.body.access_level > guestLevel;
}
