import type { IntegrationKindName, OutsideFinding } from "@whence/protocol";
import type { OutboundContext } from "../outbound-context.ts";

/** What a vendor is asked about: a failure, where it happened, and the time around it. Times are RFC 3339. */
export interface FailureQuestion {
  readonly service: string;
  /** Empty when it isn't known, as are release and host. */
  readonly env: string;
  readonly release: string;
  /** The machine, container, or pod that the process ran on, by its own name. */
  readonly host: string;
  readonly route: string | null;
  /** The chain of errors, the outermost first. */
  readonly errors: readonly { readonly type: string; readonly message: string }[];
  /** Hosts that the failing request or job called, those whose calls failed first. */
  readonly calledHosts: readonly string[];
  readonly at: string;
  /** Takes why a part of the answer is missing, while the rest came. */
  readonly missed?: (failure: unknown) => void;
  /** The span to ask for. */
  readonly from: string;
  readonly to: string;
}

/** A third party that an organization can connect. One file a vendor implements it. */
export interface Integration {
  readonly kind: IntegrationKindName;
  /** As people know it: `PagerDuty`. */
  readonly vendor: string;
  /**
   * What its code was checked against: a server or recordings that someone else made, named, or only a double of our own.
   * Shown on its page.
   */
  readonly checkedAgainst: string;
  /** Of a kind with several vendors: whether these inputs are this one's, by the form of a key. */
  readonly takes?: (inputs: Readonly<Record<string, string>>) => boolean;
  /** Opens a connection with what was entered. Throws a `VendorFailure` when an input can't be right; asks nothing yet. */
  connect(inputs: Readonly<Record<string, string>>, context: OutboundContext): VendorConnection;
}

export interface VendorConnection {
  /** Asks the vendor whether these credentials may read. Resolves with what they belong to, for people. Rejects with a `VendorFailure`. */
  verify(signal: AbortSignal): Promise<string>;
  /** What the vendor has about the failure, the most telling first. Rejects with a `VendorFailure`. */
  ask(about: FailureQuestion, signal: AbortSignal): Promise<readonly OutsideFinding[]>;
  close(): Promise<void>;
}
