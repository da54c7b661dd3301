import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import type { ControlDb, DiskReserve, EventStore, Queue } from "@whence/storage";
import type { AlertSenders, ConversationVendors, Mailer, SenderRequests } from "@whence/vendors";
import type { AnalysisBodyReader } from "../analysis/analysis-body-reader.ts";
import type { Identity } from "../identity/identity.ts";
import type { ConnectingContext } from "../integrations/ask-integrations.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { InstallationModel } from "../models/model-in-use.ts";
import type { AskModel } from "../questions/ask-model.ts";
import type { BundleReader } from "../sources/artifacts/bundle-reader.ts";

/**
 * The dependencies of the routes, created once by the composition root. A route declares what it uses of the control
 * database.
 */
export interface HttpContext<Control = ControlDb> {
  readonly control: Control;
  readonly events: EventStore;
  readonly disk: DiskReserve;
  readonly identity: Identity;
  /** The application's address for people, without a trailing slash. */
  readonly appUrl: string;
  /** Whether that address was configured; then only its own pages may send requests. */
  readonly isAppUrlGiven: boolean;
  readonly clock: () => number;
  readonly limits: RateLimits;
  /** Whether agents may register on their own. */
  readonly mayAgentsRegister: boolean;
  /** The default retention of events. */
  readonly retentionDays: number;
  /** Publishes what a route has just put into the outbox. Never rejects: failures are retried. */
  readonly relayOutbox: () => void;
  /** Returns what an analysis would start from. Runs elsewhere, since reading the largest text takes a second. */
  readonly preview: (request: AnalysisPreviewRequest, scopeId: string) => Promise<AnalysisPreview>;
  /** Returns the text of an analyze request's body. */
  readonly readAnalysisBody: AnalysisBodyReader["read"];
  /** Returns what is kept of a bundle of built files. Runs elsewhere, in bounded memory. */
  readonly readBundle: BundleReader["read"];
  readonly metrics: AnalyzerMetrics;
  /** Sends mails to members. */
  readonly mailer: Mailer;
  /** Whether mails are sent, rather than only written to the log. */
  readonly hasMailServer: boolean;
  /** The queue: accepted webhooks are put into it, and how far behind its readers are is read. */
  readonly queue: Pick<Queue, "publish" | "depth">;
  readonly senderRequests: SenderRequests;
  /** The senders that can be added as alert sources. */
  readonly senders: AlertSenders;
  /** The vendors in whose conversations the bot answers. */
  readonly conversationVendors: ConversationVendors;
  /** The language model of the whole installation; null without one. */
  readonly installationModel: InstallationModel | null;
  /** Asks the models of scopes about reports; without it, reports alone answer questions. */
  readonly askModel?: AskModel;
  /** The third parties that can be connected. */
  readonly integrations: ConnectingContext;
}

/** The rate limits of protocol's `limits` that are configurable. */
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
