import { signInProviders } from "@whence/protocol";
import type { Identity } from "./identity.ts";
import type { IdentityOptions } from "./identity-options.ts";

/** Loads the identity library on first use, because it takes 30 MB and 0.2 s. */
export function createIdentity(options: IdentityOptions): Identity {
  let loading: Promise<Omit<Identity, "options">> | undefined;
  const loaded = (): Promise<Omit<Identity, "options">> => {
    loading ??= import("./better-auth-identity.ts").then(({ betterAuthIdentity }) => betterAuthIdentity(options));
    return loading;
  };
  return {
    options: {
      providers: signInProviders.filter((name) => options.providers?.[name] !== undefined),
      sign_up: options.openSignUp ? "open" : "invited",
    },
    person: async (headers) => (headers.cookie === undefined ? null : (await loaded()).person(headers)),
    member: async (headers) => (headers.cookie === undefined ? null : (await loaded()).member(headers)),
    signIn: async (credentials) => (await loaded()).signIn(credentials),
    hashPassword: async (password) => (await loaded()).hashPassword(password),
    handle: async (request) => (await loaded()).handle(request),
  };
}
