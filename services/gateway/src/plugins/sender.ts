import type { Principal } from "@whence/storage";
import type { FastifyRequest } from "fastify";

/** The organization whose key a batch came with. */
export type Sender = Extract<Principal, { kind: "organization" }>;

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the key was looked at. */
    sender: Sender | null;
  }
}

/** The organization that `authenticate` found. */
export function senderOf(request: FastifyRequest): Sender {
  if (!request.sender) throw new TypeError("the route runs without its authentication");
  return request.sender;
}
