import type { OrganizationStore, ReleaseScope, Scoped } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { openCheckout } from "./checkout.ts";
import { namedRelease } from "./named-release.ts";
import type { SourceProvider } from "./source-provider.ts";

/** A folder with a service's code, and its organization: anyone can report under any service's name. */
export interface Checkout {
  /** The organization's slug. */
  readonly organization: string;
  /** The name that the service reports under. */
  readonly service: string;
  readonly folder: string;
}

interface CheckoutsContext {
  readonly control: OrganizationStore & Scoped<ReleaseScope>;
  readonly logger: Logger;
}

/** Returns the folders that `WHENCE_SOURCES` names. */
export function configuredCheckouts(
  checkouts: readonly Checkout[],
  { control, logger }: CheckoutsContext,
): SourceProvider {
  return {
    async open({ scopeId, service, release }) {
      const folder = await folderOf(checkouts, { scopeId, service }, control);
      if (folder === null) return null;
      const sources = await openCheckout(folder, await namedRelease(control, { scopeId, service }, release));
      if (!sources) logger.warn({ folder, service }, "the folder in WHENCE_SOURCES does not exist");
      return sources;
    },
  };
}

/** Returns the folder with a service's code that belongs to the organization of a scope; null without one. */
export async function folderOf(
  checkouts: readonly Checkout[],
  { scopeId, service }: { readonly scopeId: string; readonly service: string },
  control: OrganizationStore,
): Promise<string | null> {
  const named = checkouts.filter((checkout) => checkout.service === service);
  if (named.length === 0) return null;
  const slug = await control.organizations.slug(scopeId);
  return named.find(({ organization }) => organization === slug)?.folder ?? null;
}
