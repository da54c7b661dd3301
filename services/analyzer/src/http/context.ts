import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import type { ControlDb, DiskReserve, EventStore, Queue } from "@whence/storage";
import type { ConversationVendors, SenderRequests } from "@whence/vendors";
import type { AnalysisBodyReader } from "../analysis/analysis-body-reader.ts";
import type { Identity } from "../identity/identity.ts";
import type { ConnectingContext } from "../integrations/ask-integrations.ts";
import type { AnalyzerMetrics } from "../metrics.ts";

/** What the routes work with, made once by the composition root. A route names what it uses of the control database. */
export interface HttpContext<Control = ControlDb> {
  readonly control: Control;
  readonly events: EventStore;
  readonly disk: DiskReserve;
  readonly identity: Identity;
  /** Where people open the application, without a slash at the end. */
  readonly appUrl: string;
  /** Whether that address was configured: then pages of no other may send anything. */
  readonly isAppUrlGiven: boolean;
  readonly clock: () => number;
  readonly limits: RateLimits;
  /** Whether agents may register on their own. */
  readonly mayAgentsRegister: boolean;
  /** How long events are kept where no owner decided otherwise. */
  readonly retentionDays: number;
  /** Publishes what a route has just put into the outbox. Never rejects: what fails is tried again. */
  readonly relayOutbox: () => void;
  /** What an analysis would start from. The HTTP interface reads no text itself: that takes a second of the largest. */
  readonly preview: (request: AnalysisPreviewRequest, scopeId: string) => Promise<AnalysisPreview>;
  /** The text that the body of an analyze request holds. */
  readonly readAnalysisBody: AnalysisBodyReader["read"];
  readonly metrics: AnalyzerMetrics;
  /** Whether mails reach people, or are only written to the log. */
  readonly hasMailServer: boolean;
  /** Where accepted webhooks wait to be handled. */
  readonly queue: Pick<Queue, "publish">;
  readonly senderRequests: SenderRequests;
  /** The vendors in whose conversations the bot answers. */
  readonly conversationVendors: ConversationVendors;
  /** The third parties that can be connected. */
  readonly integrations: ConnectingContext;
}

/** Those of protocol's `limits` that the routes take from the configuration. */
export type RateLimits = Readonly<
  Record<
    | "registerPerHourPerAddress"
    | "signInPerMinutePerAddress"
    | "analyzePerMinutePerKey"
    | "sourceListsPerMinutePerOrganization"
    | "organizationSourceBytesMax"
    | "unclaimedAgentAnalysesPerDay"
    | "unclaimedAgentOpenAnalysesMax"
    | "unclaimedAnalysesPerHourPerAddress"
    | "unclaimedAgentLifetimeMs",
    number
  >
>;
