import type { ConversationVendor } from "./conversations/conversation-vendor.ts";
import { gitHubConversations } from "./github/conversation.ts";
import { gitLabConversations } from "./gitlab/conversation.ts";
import { linearConversations } from "./linear/conversation.ts";
import { slack } from "./slack/conversation.ts";

/** The vendors in whose conversations the bot answers, by the kinds of their sources. */
export type ConversationVendors = Readonly<Record<string, ConversationVendor>>;

export const conversationVendors: ConversationVendors = {
  slack,
  linear: linearConversations(),
  github: gitHubConversations,
  gitlab: gitLabConversations,
};
