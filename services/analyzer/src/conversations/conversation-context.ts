import type { AlertSenders, ConversationVendors, OutboundContext } from "@whence/vendors";
import type { OpeningContext } from "../incidents/open-incident.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { AskModel } from "../questions/ask-model.ts";

/** The dependencies for taking part in conversations. */
export interface ConversationContext extends OpeningContext {
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "conversationPosts">;
  readonly logger: Logger;
  readonly vendors: ConversationVendors;
  /** Those that there are by default. */
  readonly senders?: AlertSenders;
  readonly outbound: OutboundContext;
  /** Asks the models of scopes about reports; without it, reports alone answer questions. */
  readonly askModel?: AskModel;
  /** The application's address for people, without a trailing slash. */
  readonly appUrl: string;
}
