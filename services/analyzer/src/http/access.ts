import { type KeyScope, keyScopes } from "@whence/protocol";
import type { FastifyInstance } from "fastify";

/** The callers that may use a route. */
export type Access =
  /** Without authentication: the answer is public, or secured by the content of the request. */
  | { readonly by: "anyone" }
  /** By a person's session. */
  | { readonly by: "member" }
  | { readonly by: "owner" }
  /** By a key that has one of the scopes, or the scope `full`. */
  | { readonly by: "key"; readonly scopes: readonly KeyScope[] }
  | { readonly by: "key or member"; readonly scopes: readonly KeyScope[] }
  | { readonly by: "key or owner"; readonly scopes: readonly KeyScope[] };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Stated by every route of the analyzer, and enforced. */
    access?: Access;
  }
}

/** A route's configuration, with who may use it. */
type AccessConfig = { readonly config: { readonly access: Access } };

export const byAnyone: AccessConfig = { config: { access: { by: "anyone" } } };
export const byMember: AccessConfig = { config: { access: { by: "member" } } };
export const byOwner: AccessConfig = { config: { access: { by: "owner" } } };
/** By any key: the route only identifies it. */
export const byAnyKey: AccessConfig = { config: { access: { by: "key", scopes: keyScopes } } };

export function byKey(...scopes: readonly KeyScope[]): AccessConfig {
  return { config: { access: { by: "key", scopes } } };
}

/** By keys with these scopes, or members, who may do everything that keys may. */
export function byKeyOrMember(...scopes: readonly KeyScope[]): AccessConfig {
  return { config: { access: { by: "key or member", scopes } } };
}

/** By keys with these scopes, or owners, who may do everything that keys may. */
export function byKeyOrOwner(...scopes: readonly KeyScope[]): AccessConfig {
  return { config: { access: { by: "key or owner", scopes } } };
}

/** Rejects a route that doesn't state its {@link Access}. */
export function requireStatedAccess(app: FastifyInstance): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.access === undefined) throw new TypeError(`the route ${String(method)} ${url} states no access`);
  });
}
