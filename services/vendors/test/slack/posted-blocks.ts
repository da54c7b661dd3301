import { z } from "zod";

const mrkdwn = z.strictObject({
  type: z.literal("mrkdwn"),
  text: z.string().min(1).max(3_000),
  verbatim: z.boolean().optional(),
});
const preformatted = z.strictObject({
  type: z.literal("rich_text_preformatted"),
  elements: z.array(z.strictObject({ type: z.literal("text"), text: z.string().min(1) })).min(1),
});

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
const button = z.strictObject({
  type: z.literal("button"),
  action_id: z.string().min(1).max(255),
  text: z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(75) }),
  value: z.string().min(1).max(2_000),
});

/** What Slack documents of the blocks that are posted, and their bounds. https://docs.slack.dev/reference/block-kit/blocks */
export const postedBlocksSchema = z
  .array(
    z.discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("header"),
        text: z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(150) }),
      }),
      z.strictObject({ type: z.literal("section"), text: mrkdwn }),
      z.strictObject({ type: z.literal("context"), elements: z.array(mrkdwn).min(1).max(10) }),
      z.strictObject({ type: z.literal("actions"), elements: z.array(button).min(1).max(25) }),
      z.strictObject({ type: z.literal("rich_text"), elements: z.array(preformatted).min(1) }),
    ]),
  )
  .max(50);
