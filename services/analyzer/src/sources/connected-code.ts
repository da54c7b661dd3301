import type { IntegrationScope, OrganizationStore, Scoped } from "@whence/storage";
import { isCodeHost } from "@whence/vendors";
import { type Checkout, folderOf } from "./configured-checkouts.ts";

/**
 * Returns whether the code of a service may be read elsewhere than from uploads and its own processes: it has a folder
 * in `WHENCE_SOURCES`, or its organization has connected a code host, which isn't asked.
 */
export function connectedCode(
  checkouts: readonly Checkout[],
  control: OrganizationStore & Scoped<IntegrationScope>,
): (of: { readonly scopeId: string; readonly service: string }) => Promise<boolean> {
  return async (of) => {
    if ((await folderOf(checkouts, of, control)) !== null) return true;
    const connected = await control.scope(of.scopeId).integrations.list();
    return connected.some(({ kind }) => isCodeHost(kind));
  };
}
