import type { AgentSessionEventWebhookPayload, OAuthAppWebhookPayload } from "@linear/sdk/webhooks";

type Session = AgentSessionEventWebhookPayload["agentSession"];
type Activity = NonNullable<AgentSessionEventWebhookPayload["agentActivity"]>;

export const ada = {
  ...{ id: "8a2f2d0e-9f6e-4c36-8a53-0c1f4f2f5c11", name: "Ada Lovelace", email: "ada@acme.example" },
  url: "https://linear.app/acme/profiles/ada",
};
export const botId = "5d0a1c9b-6f0e-4a39-9a0a-2f8a3b9c7d10";
const organizationId = "1f6b8d0e-3c0f-4b7e-8f7a-6d5c4b3a2f10";
export const issueId = "c0ffee00-1111-4222-8333-444455556666";
const teamId = "7e5a4b3c-2d1e-4f0a-9b8c-7d6e5f4a3b2c";
export const mentionId = "2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9";
export const sessionId = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

const envelope = {
  ...{ organizationId, appUserId: botId, oauthClientId: "3a1f0c7e-5b2d-4e6f-8a9b-0c1d2e3f4a5b" },
  createdAt: new Date("2026-03-01T12:00:00.500Z"),
  ...{ webhookId: "e5f6a7b8-c9d0-4e1f-8a2b-3c4d5e6f7a8b", webhookTimestamp: 1_772_366_400_600 },
};

const session: Session = {
  ...{ id: sessionId, organizationId, appUserId: botId, status: "pending", type: "commentThread" },
  ...{ createdAt: "2026-03-01T12:00:00.000Z", updatedAt: "2026-03-01T12:00:00.000Z" },
  ...{ creator: ada, creatorId: ada.id, issueId, commentId: mentionId },
  issue: {
    ...{ id: issueId, identifier: "ORD-12", title: "Orders fail", url: "https://linear.app/acme/issue/ORD-12", teamId },
    team: { id: teamId, key: "ORD", name: "Orders" },
  },
  comment: { id: mentionId, issueId, userId: ada.id, body: "@whencebot why do orders fail?" },
};

const activity: Activity = {
  ...{ id: "4b0c2a1d-7e6f-4a5b-9c8d-1e2f3a4b5c6d", agentSessionId: sessionId, user: ada, userId: ada.id },
  ...{ createdAt: "2026-03-01T12:05:00.000Z", updatedAt: "2026-03-01T12:05:00.000Z" },
  ...{ sourceCommentId: "d3b07384-d113-4ec6-a5d9-2b8f0e6c1a77", content: { type: "prompt", body: "Is it payments?" } },
};

/** Someone mentions the bot, or delegates an issue to it, in the form of Linear's published types. */
export const createdSession = (more: Partial<Session> = {}): AgentSessionEventWebhookPayload => ({
  ...{ ...envelope, type: "AgentSessionEvent", action: "created", promptContext: '<issue identifier="ORD-12"/>' },
  agentSession: { ...session, ...more },
});

/** Linear makes the first comment of a session that starts with a delegation. */
export const delegation: Partial<Session> = {
  comment: { id: mentionId, issueId, body: "This thread is for an agent session with whencebot." },
};

/** Someone writes in a session. */
export const promptedSession = (more: Partial<Activity> = {}): AgentSessionEventWebhookPayload => ({
  ...{ ...envelope, type: "AgentSessionEvent", action: "prompted", agentSession: session },
  agentActivity: { ...activity, ...more },
});

/** https://linear.app/developers/agents: the application was removed from the workspace. */
export const revokedApplication: OAuthAppWebhookPayload = { ...envelope, type: "OAuthApp", action: "revoked" };
