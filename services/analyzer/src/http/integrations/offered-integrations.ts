import {
  type Integration,
  type IntegrationKindName,
  integrationKindNames,
  integrationKinds,
  type OfferedIntegration,
} from "@whence/protocol";
import { authorizationFlow } from "@whence/vendors";
import type { ConnectingContext } from "../../integrations/ask-integrations.ts";

/** Every kind that has a vendor, with its connections. */
export function offeredIntegrations(
  { registry, applications }: ConnectingContext,
  connected: readonly Integration[],
): readonly OfferedIntegration[] {
  const authorizationOf = (kind: IntegrationKindName): OfferedIntegration["authorization"] => {
    if (!integrationKinds[kind].authorization) return null;
    return authorizationFlow(kind, applications) ? "configured" : "not configured";
  };
  return integrationKindNames.flatMap((kind) => {
    const vendors = registry.vendorsOf(kind).map(({ vendor, checkedAgainst }) => {
      return { name: vendor, checked_against: checkedAgainst, documentation: documentationOf(vendor) };
    });
    const connections = connected.filter((one) => one.kind === kind);
    return vendors.length > 0 ? [{ kind, vendors, authorization: authorizationOf(kind), connections }] : [];
  });
}

/** The documentation page of a vendor: `Better Stack` is in `docs/integrations/better-stack.md`. */
export function documentationOf(vendor: string): string {
  const name = vendor
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `/docs/integrations/${name}`;
}
