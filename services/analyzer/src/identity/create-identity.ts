import { type SignInOptions, signInProviders } from "@whence/protocol";
import type { Identity } from "./identity.ts";
import type { IdentityOptions, Providers } from "./identity-options.ts";
import { passwordPolicy } from "./password-policy.ts";

type Loaded = Omit<Identity, "options" | "canDoWithoutPasswords">;

/** Loads the identity library on first use, because it takes 30 MB and 0.2 s. */
export function createIdentity(options: IdentityOptions): Identity {
  let loading: Promise<Loaded> | undefined;
  const loaded = (): Promise<Loaded> => {
    loading ??= import("./better-auth-identity.ts").then(({ betterAuthIdentity }) => betterAuthIdentity(options));
    return loading;
  };
  return {
    options: {
      providers: offered(options.providers ?? {}),
      sign_up: options.openSignUp ? "open" : "invited",
    },
    person: async (headers) => (headers.cookie === undefined ? null : (await loaded()).person(headers)),
    member: async (headers) => (headers.cookie === undefined ? null : (await loaded()).member(headers)),
    signIn: async (credentials, userAgent) => (await loaded()).signIn(credentials, userAgent),
    hashPassword: async (password) => (await loaded()).hashPassword(password),
    canDoWithoutPasswords: passwordPolicy(options).canDoWithout,
    handle: async (request) => (await loaded()).handle(request),
  };
}

function offered(providers: Providers): SignInOptions["providers"] {
  const names = { github: "GitHub", google: "Google", oidc: providers.oidc?.name ?? "" };
  return signInProviders.filter((id) => providers[id] !== undefined).map((id) => ({ id, name: names[id] }));
}
