import { join } from "node:path";
import { runningServices, type ShopService, type Telemetry } from "../../examples/shop/demo/shop.ts";
import { uploadSources } from "../../examples/shop/demo/upload-sources.ts";
import type { Fault } from "./fault.ts";

export const firstRelease = "1.4.0";
export const nextRelease = "1.5.0";

/** Inputs to withhold from Whence, to measure what they contribute: all code, or the release before the failing one. */
export const omissions = ["sources", "changes"] as const;
export type Omission = (typeof omissions)[number];

/** Uploads the code of a shop's releases, each before it starts, as a pipeline does. */
export class Releases {
  readonly #folder: string;
  readonly #server: Telemetry;
  readonly #without: Omission | undefined;
  readonly #signal: AbortSignal;

  constructor(folder: string, server: Telemetry, without: Omission | undefined, signal: AbortSignal) {
    this.#folder = folder;
    this.#server = server;
    this.#without = without;
    this.#signal = signal;
  }

  /** Uploads the first release of every service. Without changes, skips services that get another release. */
  async uploadFirst(fault: Fault): Promise<void> {
    const uncompared = this.#without === "changes" ? deployedServices(fault) : [];
    // One after another: many processes at once would slow down the running shops.
    for (const service of runningServices()) {
      if (!uncompared.includes(service)) await this.#upload(service, firstRelease);
    }
  }

  /** Uploads the release of a service that the fault deploys. */
  uploadNext(service: ShopService): Promise<void> {
    return this.#upload(service, nextRelease);
  }

  async #upload(service: ShopService, release: string): Promise<void> {
    if (this.#without === "sources") return;
    await uploadSources({ service, release, folder: join(this.#folder, service) }, this.#server, this.#signal);
  }
}

/** Returns the services that get another release, by the fault or as a decoy. */
export function deployedServices({ inject, decoys }: Fault): ShopService[] {
  return [...inject, ...decoys].flatMap((one) => (one.kind === "deploy" ? [one.service] : []));
}
