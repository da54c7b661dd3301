import type { IntegrationApplications } from "./applications.ts";
import type { AddressGuard } from "./http/address-guard.ts";

/** What a connection needs from the service. */
export interface OutboundContext {
  readonly mayReach: AddressGuard;
  readonly clock: () => number;
  /** Replaces a vendor's documented URL, for tests; the identity by default. */
  readonly addressOf?: (documented: string) => string;
  /** The applications that the operator registered at vendors; none by default. */
  readonly applications?: IntegrationApplications;
}
