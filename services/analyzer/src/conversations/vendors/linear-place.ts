import { z } from "zod";
import { identifier } from "../../triggers/fields.ts";

/** Where Linear is answered: the agent session, its issue, and the comment that asks. Without a comment, the issue was delegated. */
export const linearPlaceSchema = z.object({
  issue: identifier,
  session: identifier,
  comment: identifier.optional(),
});
export type LinearPlace = z.infer<typeof linearPlaceSchema>;
