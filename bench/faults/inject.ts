import type { ShopService } from "../../examples/shop/demo/shop.ts";
import type { Customers } from "./customers.ts";
import type { Decoy, Fault, Injection } from "./fault.ts";
import { makeNoise } from "./noise.ts";
import type { Outside } from "./outside.ts";
import { deployedServices, type Releases } from "./releases.ts";
import type { RunningShop } from "./running-shop.ts";
import type { ShopCopy } from "./shop-copy.ts";

/** Everything that a fault can affect. */
export interface Stage {
  readonly copy: ShopCopy;
  readonly releases: Releases;
  readonly shop: RunningShop;
  readonly outside: Outside;
  readonly customers: Customers;
  readonly signal: AbortSignal;
}

/** Injects the fault with its decoys; resolves when everything is in place. */
export async function inject(fault: Fault, stage: Stage): Promise<void> {
  const { inject: injections, decoys } = fault;
  const starts = [...injections, ...decoys].filter(isStart);
  for (const injection of injections) await injectAtOnce(injection, stage);
  for (const service of deployedServices(fault)) await stage.releases.uploadNext(service);
  if (starts.length > 0) {
    await stage.customers.heldBack(async () => {
      await Promise.all(starts.map(({ service, kind, settings }) => stage.shop.startAgain(service, kind, settings)));
    });
  }
  startNoise(decoys, "fault", stage);
}

/** Starts the noise that exists from the start, or that begins with the fault. */
export function startNoise(decoys: Fault["decoys"], since: "start" | "fault", { shop, signal }: Stage): void {
  for (const decoy of decoys) {
    if (decoy.kind !== "noise" || decoy.since !== since) continue;
    makeNoise(decoy.source, (service: ShopService) => shop.addressOf(service), signal);
  }
}

type Start = Extract<Injection, { kind: "deploy" | "restart" }>;

function isStart(one: Injection | Decoy): one is Start {
  return one.kind === "deploy" || one.kind === "restart";
}

/** Applies the parts that need no restart; for a deploy, its code. */
async function injectAtOnce(injection: Injection, { copy, shop, outside, customers }: Stage): Promise<void> {
  switch (injection.kind) {
    case "deploy":
      for (const edit of injection.edits ?? []) await copy.change(edit);
      return;
    case "restart":
      return;
    case "outside":
      return outside.turn(injection.party, injection.mood);
    case "signal":
      return shop.signal(injection.service, injection.signal);
    case "file":
      return copy.write(injection.file, injection.content);
    case "link":
      return copy.link(injection.file, injection.to);
    case "customers":
      return customers.adopt(injection.habit);
  }
}
