import { z } from "zod";
import type { Grant } from "../authorization/authorization-flow.ts";
import { vendorAddress } from "../http/addresses.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** https://docs.sentry.io/api/organizations/list-your-organizations/ */
const organizationsSchema = z.array(z.object({ slug: z.string() }));

/** Returns the organization that a Sentry token reads, which the person chose. */
export async function sentryOrganization(
  { tokens }: Grant,
  context: OutboundContext,
  signal: AbortSignal,
): Promise<{ organization_slug: string }> {
  const http = openVendorHttp({
    ...context,
    vendor: "Sentry",
    baseUrl: vendorAddress("https://sentry.io/api/0", context),
    headers: { authorization: `Bearer ${tokens.accessToken}` },
  });
  try {
    const { body } = await http.json({ path: "/organizations/", schema: organizationsSchema }, signal);
    const [organization] = body;
    if (organization) return { organization_slug: organization.slug };
    throw new VendorFailure("forbidden", "Sentry gave access to no organization: choose one when you connect it");
  } finally {
    await http.close();
  }
}
