import { appendFile } from "node:fs/promises";
import { config } from "./config.ts";

/** Adds a parcel to what the driver signs for. */
export async function addToManifest(tracking: string, weightGrams: number): Promise<void> {
  await appendFile(config.manifestFile, `${tracking} ${weightGrams} g\n`);
}
