import type { Category } from "@whence/protocol";
import type { ShopService } from "../../examples/shop/demo/shop.ts";
import type { Habit } from "./customers.ts";
import type { NoiseSource } from "./noise.ts";
import type { Mood, Party } from "./outside.ts";

/** A place in a file of the shop that a release changes: `find` occurs in it exactly once. */
export interface Edit {
  /** Path from the shop's folder. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Variables that a start has beside, or instead of, those of a shop in good health; one without a value is taken away. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** One thing that happens to the running system. The client gets no hint of it. */
export type Injection =
  /** A new release of a service: its code changes, and its release. */
  | {
      readonly kind: "deploy";
      readonly service: ShopService;
      readonly edits?: readonly Edit[];
      readonly settings?: Settings;
    }
  /** The same release, started again with other settings. */
  | { readonly kind: "restart"; readonly service: ShopService; readonly settings: Settings }
  /** A third party behaves differently. */
  | { readonly kind: "outside"; readonly party: Party; readonly mood: Mood }
  /** A signal; what ends of it stays away. */
  | { readonly kind: "signal"; readonly service: ShopService; readonly signal: NodeJS.Signals }
  /** A file of the shop has other content, or becomes a link. */
  | { readonly kind: "file"; readonly file: string; readonly content: string }
  | { readonly kind: "link"; readonly file: string; readonly to: string }
  /** Customers begin to do something that they never did. */
  | { readonly kind: "customers"; readonly habit: Habit };

/** What distracts from the cause. */
export type Decoy =
  /** Errors that have nothing to do with it, more of them than of the fault: all the time, or since the fault. */
  | { readonly kind: "noise"; readonly source: NoiseSource; readonly since: "start" | "fault" }
  /** A release without a change that matters, at the moment of the fault. */
  | { readonly kind: "deploy"; readonly service: ShopService }
  /** The loudest errors are another service's: nothing to do for it, it lies in the fault. */
  | { readonly kind: "symptom"; readonly service: ShopService };

/** A fault, and what a good report says about it. */
export interface Fault {
  readonly name: string;
  /** What happens, in a sentence without its full stop. */
  readonly plays: string;
  readonly inject: readonly Injection[];
  /** Settings of the shop from the start, which the fault needs. */
  readonly settings?: Partial<Record<ShopService, Settings>>;
  /** Where something has to be done: of a failure outside of the shop, the service that depends on it. */
  readonly causedBy: ShopService;
  /** Any of these names the cause rightly. */
  readonly categories: readonly Category[];
  /** The file with the mistake; both files where two services disagree; none where no file has one. */
  readonly files: readonly string[];
  readonly decoys: readonly Decoy[];
  /**
   * How long to watch after the injection, when longer than the default: a failure without reports takes time to
   * notice. Counted from the crash, for a fault with {@link diesWithinSeconds}.
   */
  readonly watchSeconds?: number;
  /** The service crashes from the fault on its own within this time. */
  readonly diesWithinSeconds?: number;
}
