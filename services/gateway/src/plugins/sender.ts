import type { Principal } from "@whence/storage";
import type { FastifyRequest } from "fastify";

/** The organization that owns a batch's key. */
export type Sender = Extract<Principal, { kind: "organization" }> & {
  /** Hashes whom its events are about; null when it decided to have them stored as sent. */
  readonly userKey: string | null;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the key is authenticated. */
    sender: Sender | null;
  }
}

/** Returns the organization that `authenticate` found. */
export function senderOf(request: FastifyRequest): Sender {
  if (!request.sender) throw new TypeError("the route runs without its authentication");
  return request.sender;
}
