import type { ConversationVendors, OutboundContext } from "@whence/vendors";
import type { OpeningContext } from "../incidents/open-incident.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";

/** What taking part in conversations takes. */
export interface ConversationContext extends OpeningContext {
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "conversationPosts">;
  readonly logger: Logger;
  readonly vendors: ConversationVendors;
  readonly outbound: OutboundContext;
  /** Where people open the application, without a slash at the end. */
  readonly appUrl: string;
}
