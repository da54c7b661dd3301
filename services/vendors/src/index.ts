export type { AlertSender, ReceivedWebhook } from "./alert-senders/alert-sender.ts";
export type {
  AnnouncedAlert,
  AnnouncedDeploy,
  Announcement,
  ConversationRequest,
  MessageAction,
  Place,
  PressedButton,
} from "./alert-senders/announcement.ts";
export { headerOf } from "./alert-senders/header.ts";
export { isSameToken } from "./alert-senders/same-token.ts";
export type { Addressee, SenderApp } from "./alert-senders/sender-app.ts";
export type { SenderConnection } from "./alert-senders/sender-connection.ts";
export type { SenderInputs } from "./alert-senders/sender-inputs.ts";
export { openSenderRequests, type SenderRequests } from "./alert-senders/sender-requests.ts";
export { type AlertSenders, alertSenders } from "./alert-senders.ts";
export { gitLabScopes, type IntegrationApplications } from "./applications.ts";
export type { AuthorizationFlow, OAuthTokens } from "./authorization/authorization-flow.ts";
export {
  AuthorizationDenied,
  authorizeUrl,
  exchangeCode,
  refreshTokens,
  revokeToken,
} from "./authorization/oauth-client.ts";
export { authorizationFlow } from "./authorization-flows.ts";
export type { CodeHost, CodeHostVendor, CommitComparison, FileAt, HostedFile } from "./code-hosts/code-host.ts";
export { type CodePages, codePages } from "./code-hosts/code-pages.ts";
export type { HostedBranch, HostedPullRequest, PullRequests } from "./code-hosts/pull-requests.ts";
export { repositoriesSchema, repositoryOf } from "./code-hosts/repository-assignment.ts";
export { codeHosts, isCodeHost } from "./code-hosts.ts";
export { type ConversationVendors, conversationVendors } from "./conversation-vendors.ts";
export type { ConversationClient, ConversationStatus, Discussion } from "./conversations/conversation-vendor.ts";
export { markdownOf } from "./conversations/markdown.ts";
export type { MessageDocument, MessagePart } from "./conversations/message-document.ts";
export { logMailer } from "./email/log-mailer.ts";
export type { Mail, Mailer } from "./email/mailer.ts";
export { smtpMailer } from "./email/smtp-mailer.ts";
export { type AddressGuard, addressGuard } from "./http/address-guard.ts";
export { parseBoundedJson } from "./http/bounded-json.ts";
export { AddressRefused } from "./http/guarded-lookup.ts";
export { orAbsent } from "./http/or-absent.ts";
export { probeUrl } from "./http/probe-url.ts";
export { retryAfterMs } from "./http/retry-after.ts";
export { applicationNotConfigured, VendorFailure, type VendorFailureReason } from "./http/vendor-failure.ts";
export { vendorLimits } from "./http/vendor-limits.ts";
export { type IntegrationRegistry, integrationRegistry } from "./integration-registry.ts";
export type { FailureQuestion, Integration, VendorFinding } from "./integrations/integration.ts";
export { mostTelling } from "./integrations/most-telling.ts";
export type { ProvidedModel } from "./language-models/language-model-provider.ts";
export { type ModelAddress, type OpenedModel, openLanguageModel } from "./language-models.ts";
export { everyChannel } from "./notification-channels.ts";
export { type Channel, DeliveryFailure } from "./notifications/channel.ts";
export { beginnings, capital, labels, solutionText, utcTime } from "./notifications/message-words.ts";
export { notificationDocument } from "./notifications/notification-document.ts";
export { discoverProvider, type ProviderMetadata } from "./openid/discovery.ts";
export type { OutboundContext } from "./outbound-context.ts";
export { senderApps } from "./sender-apps.ts";
export { mintWebhookSecret } from "./standard-webhooks/signature.ts";
export { oneLine } from "./text/one-line.ts";
export { linkFrom, textFrom, titleFrom } from "./text/plain-text.ts";
