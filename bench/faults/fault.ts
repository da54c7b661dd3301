import type { Category } from "@whence/protocol";
import type { ShopService } from "../../examples/shop/demo/shop.ts";
import type { Habit } from "./customers.ts";
import type { NoiseSource } from "./noise.ts";
import type { Mood, Party } from "./outside.ts";

/** A change of one place in a file of the shop; `find` must occur exactly once. */
export interface Edit {
  /** The path below the shop's folder. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Variables that override those of a healthy shop; one without a value is removed. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A fault injected into the running system. The client isn't told about it. */
export type Injection =
  /** A new release of a service, with changed code. */
  | {
      readonly kind: "deploy";
      readonly service: ShopService;
      readonly edits?: readonly Edit[];
      readonly settings?: Settings;
    }
  /** A restart of the same release with other settings. */
  | { readonly kind: "restart"; readonly service: ShopService; readonly settings: Settings }
  /** A third party that behaves differently. */
  | { readonly kind: "outside"; readonly party: Party; readonly mood: Mood }
  /** A signal; a process that it ends isn't restarted. */
  | { readonly kind: "signal"; readonly service: ShopService; readonly signal: NodeJS.Signals }
  /** A file of the shop that gets other content or becomes a link. */
  | { readonly kind: "file"; readonly file: string; readonly content: string }
  | { readonly kind: "link"; readonly file: string; readonly to: string }
  /** Customers who start doing something new. */
  | { readonly kind: "customers"; readonly habit: Habit };

/** A distraction from the cause. */
export type Decoy =
  /** Unrelated errors, more frequent than those of the fault: all the time, or since the fault. */
  | { readonly kind: "noise"; readonly source: NoiseSource; readonly since: "start" | "fault" }
  /** A release without a relevant change, at the moment of the fault. */
  | { readonly kind: "deploy"; readonly service: ShopService }
  /** A marker that the loudest errors are another service's. Nothing is injected for it; it is part of the fault. */
  | { readonly kind: "symptom"; readonly service: ShopService };

/** A fault, and what a good report says about it. */
export interface Fault {
  readonly name: string;
  /** What happens, in a sentence without its period. */
  readonly plays: string;
  readonly inject: readonly Injection[];
  /** Settings that the shop needs from the start for this fault. */
  readonly settings?: Partial<Record<ShopService, Settings>>;
  /** The service that needs a fix; for a failure outside of the shop, the one that depends on it. */
  readonly causedBy: ShopService;
  /** The categories that count as right. */
  readonly categories: readonly Category[];
  /** The files with the mistake: both where two services disagree, none where no file has one. */
  readonly files: readonly string[];
  readonly decoys: readonly Decoy[];
  /**
   * How long to watch after the injection, if longer than the default: a failure without reports takes time to notice.
   * Counted from the crash for a fault with {@link diesWithinSeconds}.
   */
  readonly watchSeconds?: number;
  /** The service crashes within this time after the fault. */
  readonly diesWithinSeconds?: number;
}
