import { z } from "zod";

/** The limits of saved views. */
export const viewLimits = {
  viewNameLengthMax: 80,
  /** Characters of a filter's value: an email address, or a search. */
  viewValueLengthMax: 320,
  viewsPerMemberMax: 50,
} as const;

/** What a view can keep: the filters and the order of the list of incidents. */
export const viewFields = [
  ...(["service", "env", "status", "state", "owner", "severity", "trigger", "span", "search", "sort"] as const),
] as const;

const nameSchema = z.string().trim().min(1).max(viewLimits.viewNameLengthMax);
const valueSchema = z.string().min(1).max(viewLimits.viewValueLengthMax);

/** The body of `POST /api/views` and `PUT /api/views/{id}`. */
export const viewChangeSchema = z.object({
  name: nameSchema,
  filter: z.partialRecord(z.enum(viewFields), valueSchema),
  /** Whether every member of the organization sees it. */
  shared: z.boolean().default(false),
});
export type ViewChange = z.infer<typeof viewChangeSchema>;

/** A saved view of the list of incidents. */
export const savedViewSchema = viewChangeSchema.extend({
  id: z.string(),
  shared: z.boolean(),
  /** Whether the member who asks saved it, and so may change it. */
  mine: z.boolean(),
  /** The name of the member who saved it. */
  by: z.string(),
});
export type SavedView = z.infer<typeof savedViewSchema>;

/** The answer of `GET /api/views`: one's own, and those that others share, by name. */
export const savedViewsSchema = z.object({ views: z.array(savedViewSchema) });
export type SavedViews = z.infer<typeof savedViewsSchema>;
