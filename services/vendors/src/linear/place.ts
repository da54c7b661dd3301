import { z } from "zod";
import { identifier } from "../text/fields.ts";

/**
 * Where to answer at Linear: the agent session, its issue, the comment that asks, and the requester. Without a comment,
 * the issue was delegated.
 */
export const linearPlaceSchema = z.object({
  issue: identifier,
  session: identifier,
  comment: identifier.optional(),
  asker: identifier.optional(),
});
export type LinearPlace = z.infer<typeof linearPlaceSchema>;
