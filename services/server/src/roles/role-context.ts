import type { DiskReserve, LazyStorage } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";

/** The dependencies of a role. */
export interface RoleContext {
  readonly config: Config;
  readonly app: FastifyInstance;
  readonly storage: LazyStorage;
  readonly disk: DiskReserve;
  readonly registry: Registry;
  readonly clock: () => number;
  /** The current key first; none for a writer, which neither signs nor decrypts. */
  readonly secretKeys: readonly Buffer[];
  readonly appUrl: string;
  /** Stopped in the reverse order of their start. */
  readonly parts: AsyncDisposableStack;
}
