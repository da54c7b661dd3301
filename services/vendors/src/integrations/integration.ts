import type { IntegrationKindName, OutsideFinding } from "@whence/protocol";
import type { OutboundContext } from "../outbound-context.ts";

/** The question to a vendor: a failure, where it happened, and the time around it. Times are RFC 3339. */
export interface FailureQuestion {
  readonly service: string;
  /** Empty when unknown, like the release and host. */
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
  /** Called with the reason why a part of the answer is missing. */
  readonly missed?: (failure: unknown) => void;
  /** The span to query. */
  readonly from: string;
  readonly to: string;
}

/** A vendor's finding, before it becomes evidence. */
export type VendorFinding = OutsideFinding & {
  /** The address of whom it is about, which finds them among the members. It isn't kept. */
  readonly email?: string | undefined;
};

/** A third party that an organization can connect, implemented in one file per vendor. */
export interface Integration {
  readonly kind: IntegrationKindName;
  /** As people know it: `PagerDuty`. */
  readonly vendor: string;
  /**
   * What its code was checked against: a named server or recordings made by someone else, or only a double of our own.
   * Shown on its page.
   */
  readonly checkedAgainst: string;
  /** For a kind with several vendors: returns whether these inputs are this one's, by the form of a key. */
  readonly takes?: (inputs: Readonly<Record<string, string>>) => boolean;
  /**
   * Opens a connection with the entered inputs. Throws a `VendorFailure` when an input can't be right. Makes no request
   * yet.
   */
  connect(inputs: Readonly<Record<string, string>>, context: OutboundContext): VendorConnection;
}

export interface VendorConnection {
  /**
   * Asks the vendor whether these credentials may read. Resolves with the name of their account, for people. Rejects
   * with a `VendorFailure`.
   */
  verify(signal: AbortSignal): Promise<string>;
  /** Returns what the vendor has about the failure, the most telling first. Rejects with a `VendorFailure`. */
  ask(about: FailureQuestion, signal: AbortSignal): Promise<readonly VendorFinding[]>;
  close(): Promise<void>;
}
