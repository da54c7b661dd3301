import { hashSecret, mintSecret, setupToken, visiblePrefix } from "@whence/analyzer";
import type { ControlDb } from "@whence/storage";

/** What the first start made, and what a person needs to get in. */
export interface Bootstrapped {
  readonly organizationId: string;
  /** The key that was made just now; it is shown this once. Undefined when there was one, or one was given. */
  readonly newApiKey: string | undefined;
  /** Undefined once the service had its first owner. */
  readonly openSetupToken: string | undefined;
  readonly setupToken: string;
}

/** Makes sure that the organization `default` exists and has a key: the given one, or a new one on the first start. */
export async function bootstrap(
  control: ControlDb,
  options: { bootstrapApiKey: string | undefined; secretKey: Buffer; now: Date },
): Promise<Bootstrapped> {
  const { now } = options;
  const { id: organizationId } = await control.organizations.ensure({ slug: "default", name: "default", now });
  const newApiKey = await ensureKey(control, organizationId, options.bootstrapApiKey, now);
  const token = setupToken(options.secretKey, organizationId);
  const isSetUp = await control.organizations.isSetUp();
  return { organizationId, newApiKey, setupToken: token, openSetupToken: isSetUp ? undefined : token };
}

async function ensureKey(
  control: ControlDb,
  organizationId: string,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  const add = (name: string, key: string): Promise<unknown> =>
    control.keys.add({ organizationId, name, hash: hashSecret(key), prefix: visiblePrefix(key), now });
  if (given !== undefined) {
    await add("bootstrap", given);
    return undefined;
  }
  if ((await control.keys.list(organizationId)).length > 0) return undefined;
  const key = mintSecret("whk");
  await add("first", key);
  return key;
}
