import { hashSecret, mintSecret, setupToken, visiblePrefix } from "@whence/analyzer";
import type { ControlDb } from "@whence/storage";
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
  control: ControlDb,
  options: { bootstrapApiKey: string | undefined; secretKey: Buffer; now: Date },
): Promise<Bootstrapped> {
  const { bootstrapApiKey, now } = options;
  const { id: organizationId } = await control.organizations.ensure({
    slug: defaultOrganization,
    name: defaultOrganization,
    now,
  });
  if (bootstrapApiKey !== undefined) await addKey(control, organizationId, "bootstrap", bootstrapApiKey, now);
  const token = setupToken(options.secretKey, organizationId);
  const isSetUp = await control.organizations.isSetUp();
  return { organizationId, setupToken: token, openSetupToken: isSetUp ? undefined : token };
}

/**
 * Makes the organization's first key, unless it has one. It is shown this once: to be called when nothing can fail any
 * more between here and who reads it.
 */
export async function makeFirstKey(control: ControlDb, organizationId: string, now: Date): Promise<string | undefined> {
  if ((await control.keys.list(organizationId)).length > 0) return undefined;
  const key = mintSecret("whk");
  await addKey(control, organizationId, "first", key, now);
  return key;
}

async function addKey(control: ControlDb, organizationId: string, name: string, key: string, now: Date): Promise<void> {
  await control.keys.add({ organizationId, name, hash: hashSecret(key), prefix: visiblePrefix(key), now });
}
