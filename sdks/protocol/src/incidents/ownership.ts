import { z } from "zod";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { actorSchema } from "./lifecycle.ts";

/** The limits of who owns incidents, apart from {@link limits}, whose object is part of each telemetry client. */
export const ownershipLimits = {
  /** Rules per organization for who owns which incidents, and the characters of a rule's pattern. */
  ownershipRulesMax: 200,
  ownershipPatternLengthMax: 200,
  /** Characters that name a member: of an email address. */
  memberNameLengthMax: 320,
} as const;

/** The member who takes care of an incident. */
export const incidentOwnerSchema = z.object({
  /** The id of the person, not of their membership. */
  id: z.string(),
  name: z.string(),
  since: timestampSchema,
});
export type IncidentOwner = z.infer<typeof incidentOwnerSchema>;

/** That someone has seen an incident. Taking it says so, too. */
export const acknowledgmentSchema = z.object({ at: timestampSchema, by: actorSchema });
export type Acknowledgment = z.infer<typeof acknowledgmentSchema>;

/** The body of `POST /api/incidents/{id}/owner`. */
export const ownerChangeSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("take") }),
  /** `to`: a member's id or email address. */
  z.object({ action: z.literal("hand-over"), to: z.string().min(1).max(ownershipLimits.memberNameLengthMax) }),
  z.object({ action: z.literal("let-go") }),
  z.object({ action: z.literal("acknowledge") }),
]);
export type OwnerChange = z.infer<typeof ownerChangeSchema>;
export type OwnerAction = OwnerChange["action"];

/** The body of `POST /api/incidents/{id}/comments`. The text is shown as it is, not as markup. */
export const commentRequestSchema = z.object({ text: z.string().trim().min(1).max(limits.commentLengthMax) });
export type CommentRequest = z.infer<typeof commentRequestSchema>;
