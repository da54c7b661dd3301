import type { IntegrationApplications } from "./applications.ts";
import type { AddressGuard } from "./http/address-guard.ts";

/** What a connection needs from the service. */
export interface OutboundContext {
  readonly mayReach: AddressGuard;
  readonly clock: () => number;
  /** Where a vendor's documented address is reached, for tests; itself by default. */
  readonly addressOf?: (documented: string) => string;
  /** The applications that the operator registered at vendors; none by default. */
  readonly applications?: IntegrationApplications;
}
