import { join } from "node:path";
import { type ShopService, shopServices, type Telemetry } from "../../examples/shop/demo/shop.ts";
import { uploadSources } from "../../examples/shop/demo/upload-sources.ts";
import type { Fault } from "./fault.ts";

export const firstRelease = "1.4.0";
export const nextRelease = "1.5.0";

/** What Whence has to do without, to see what it brings: all code, or the release before the one that fails. */
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

  /** The release that every service runs at first. Without changes, not of services that get another one. */
  async uploadFirst(fault: Fault): Promise<void> {
    const uncompared = this.#without === "changes" ? deployedServices(fault) : [];
    // One after the other: many processes at once would take longer than the shops that run can bear.
    for (const service of shopServices) {
      if (!uncompared.includes(service)) await this.#upload(service, firstRelease);
    }
  }

  /** The release of a service that the fault brings. */
  uploadNext(service: ShopService): Promise<void> {
    return this.#upload(service, nextRelease);
  }

  async #upload(service: ShopService, release: string): Promise<void> {
    if (this.#without === "sources") return;
    await uploadSources({ service, release, folder: join(this.#folder, service) }, this.#server, this.#signal);
  }
}

/** The services that get another release, by the fault or as a decoy. */
export function deployedServices({ inject, decoys }: Fault): ShopService[] {
  return [...inject, ...decoys].flatMap((one) => (one.kind === "deploy" ? [one.service] : []));
}
