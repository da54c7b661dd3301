import { hashSecret, mintSecret, setupToken, visiblePrefix } from "@whence/analyzer";
import type { KeyScope } from "@whence/protocol";
import type { KeyStore, OrganizationStore } from "@whence/storage";
import { defaultOrganization } from "./config.ts";

/** What a person needs for the first sign-in. */
export interface Bootstrapped {
  readonly organizationId: string;
  /** Undefined once the service has had an owner. */
  readonly openSetupToken: string | undefined;
  readonly setupToken: string;
}

/** Makes sure that the organization `default` exists, with its configured key. */
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

/** The first keys of a new service. */
export interface FirstKeys {
  /** For the person who runs the service: it has every permission. */
  readonly full: string;
  /** For processes: it can only send telemetry. */
  readonly send: string;
}

/**
 * Creates the organization's first keys, unless it has any. They are shown only once, so call it when nothing can fail
 * before they are printed.
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
