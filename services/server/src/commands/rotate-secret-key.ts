import { rotateSecondFactors } from "@whence/analyzer";
import { lazyStorage } from "@whence/storage";
import type { Config } from "../config.ts";
import { addSecretKey, forgetFormerSecretKeys, loadSecretKeys } from "../secret-key.ts";

/**
 * Re-encrypts every stored credential and second factor with the current key. If the key is in the data directory, a new one is created
 * first, and the former ones are deleted once nothing needs them; if it comes from the environment, the operator does
 * both (`docs/operations.md`). A crash at any point loses nothing: run it again.
 */
export async function rotateSecretKey(config: Config): Promise<readonly string[]> {
  const isOurs = config.secretKey === undefined;
  if (isOurs) await withControl(config, () => addSecretKey(config.dataDirectory));
  const { rotated, unreadable } = await withControl(config, rotateAll);
  if (unreadable > 0) {
    return [
      `re-encrypted: ${rotated}`,
      `${unreadable} could not be decrypted with any known key and were left unchanged; former keys are kept`,
    ];
  }
  if (isOurs) await forgetFormerSecretKeys(config.dataDirectory);
  const next = isOurs ? "the new key is in use from the next start" : "WHENCE_SECRET_KEY_PREVIOUS can be emptied now";
  return [`re-encrypted: ${rotated}; ${next}`];
}

async function rotateAll(
  control: Control,
  secretKeys: readonly Buffer[],
): Promise<{ rotated: number; unreadable: number }> {
  const credentials = await control.rotateSecrets(new Date());
  const factors = await rotateSecondFactors(control, secretKeys);
  return {
    rotated: credentials.rotated + factors.rotated,
    unreadable: credentials.unreadable + factors.unreadable,
  };
}

type Control = Awaited<ReturnType<ReturnType<typeof lazyStorage>["control"]>>;

/** Locks the data directory, if there is one: a running service must not use another key than the stored one. */
async function withControl<Result>(
  config: Config,
  use: (control: Control, secretKeys: readonly Buffer[]) => Promise<Result>,
): Promise<Result> {
  const secretKeys = await loadSecretKeys(config);
  const storage = lazyStorage({ ...config, secretKeys });
  try {
    return await use(await storage.control(), secretKeys);
  } finally {
    await storage.close();
  }
}
