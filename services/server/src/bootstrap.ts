import { hashSecret, mintSecret, setupToken, visiblePrefix } from "@whence/analyzer";
import type { KeyScope } from "@whence/protocol";
import type { KeyStore, OrganizationStore } from "@whence/storage";
import { defaultOrganization } from "./config.ts";

/** What a person needs to get in. */
export interface Bootstrapped {
  readonly organizationId: string;
  /** Undefined once the service had its first owner. */
  readonly openSetupToken: string | undefined;
  readonly setupToken: string;
}

/** Makes sure that the organization `default` exists, with the key that was given for it. */
export async function bootstrap(
  control: KeyStore & OrganizationStore,
  options: { bootstrapApiKey: string | undefined; secretKey: Buffer; now: Date },
): Promise<Bootstrapped> {
  const { bootstrapApiKey, now } = options;
  const { id: organizationId } = await control.organizations.ensure({
    slug: defaultOrganization,
    name: defaultOrganization,
    now,
  });
  if (bootstrapApiKey !== undefined)
    await addKey(control, { organizationId, name: "bootstrap", scope: "full", key: bootstrapApiKey, now });
  const token = setupToken(options.secretKey, organizationId);
  const isSetUp = await control.organizations.isSetUp();
  return { organizationId, setupToken: token, openSetupToken: isSetUp ? undefined : token };
}

/** The keys of a new service. */
export interface FirstKeys {
  /** For the person who runs it: it may do all that keys may. */
  readonly full: string;
  /** For processes: it sends telemetry and reads nothing. */
  readonly send: string;
}

/**
 * Makes the organization's first keys, unless it has any. They are shown this once: to be called when nothing can fail
 * between here and who reads them.
 */
export async function makeFirstKeys(
  control: KeyStore,
  organizationId: string,
  now: Date,
): Promise<FirstKeys | undefined> {
  if ((await control.keys.list(organizationId)).length > 0) return undefined;
  const keys = { full: mintSecret("whk"), send: mintSecret("whk") };
  await addKey(control, { organizationId, name: "first", scope: "full", key: keys.full, now });
  await addKey(control, { organizationId, name: "first for services", scope: "send", key: keys.send, now });
  return keys;
}

interface KeyToAdd {
  readonly organizationId: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly key: string;
  readonly now: Date;
}

async function addKey(control: KeyStore, { key, ...rest }: KeyToAdd): Promise<void> {
  await control.keys.add({ ...rest, hash: hashSecret(key), prefix: visiblePrefix(key) });
}
