import type { AlertSourceKind } from "@whence/protocol";
import type { ConversationVendor } from "./conversation-vendor.ts";
import { gitHubConversations } from "./vendors/github.ts";
import { gitLabConversations } from "./vendors/gitlab.ts";
import { linearConversations } from "./vendors/linear.ts";
import { slack } from "./vendors/slack.ts";

/** The vendors in whose conversations the bot answers, by the kinds of their sources. */
export type ConversationVendors = Readonly<Partial<Record<AlertSourceKind, ConversationVendor>>>;

export const conversationVendors: ConversationVendors = {
  slack,
  linear: linearConversations(),
  github: gitHubConversations,
  gitlab: gitLabConversations,
};
