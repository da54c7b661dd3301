import { z } from "zod";
import type { Identity } from "../../src/identity/identity.ts";
import { appUrl } from "../test-service.ts";

/** A browser's cookies, kept by the name that a site gave them. */
export interface CookieJar {
  header(): string;
  keep(response: Response): void;
}

export function cookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keep(response) {
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
        cookies.set(name, value);
      }
    },
  };
}

/** Asks the identity library's routes as a browser with these cookies does. */
export async function askIdentity(identity: Identity, jar: CookieJar, path: string, body?: object): Promise<Response> {
  const response = await identity.handle(
    new Request(new URL(path, appUrl), {
      method: body ? "POST" : "GET",
      headers: { cookie: jar.header(), origin: appUrl, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  jar.keep(response);
  return response;
}

/** Logs in at the provider that `authorizeUrl` leads to, as the account; returns where it sends the browser back. */
export async function logInAtProvider(authorizeUrl: string, account: string): Promise<URL> {
  const jar = cookieJar();
  let next = { url: new URL(authorizeUrl), body: null as string | null };
  for (;;) {
    const response = await fetch(next.url, {
      method: next.body === null ? "GET" : "POST",
      headers: { cookie: jar.header(), "content-type": "application/x-www-form-urlencoded" },
      ...(next.body !== null && { body: next.body }),
      redirect: "manual",
    });
    jar.keep(response);
    const location = response.headers.get("location");
    if (location === null) {
      if (!response.ok) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      next = { url: next.url, body: `account=${account}` };
      continue;
    }
    const url = new URL(location, next.url);
    if (url.origin === appUrl) return url;
    next = { url, body: null };
  }
}

/** Where a browser ends up, and who it is signed in as. */
export interface Arrival {
  readonly location: string;
  readonly email: string | null;
}

/** Starts a sign-in; returns the provider's address to which the browser goes. */
export async function startAtProvider(identity: Identity, jar: CookieJar, callbackURL = "/login"): Promise<string> {
  const body = { provider: "oidc", callbackURL, errorCallbackURL: "/login" };
  const started = await askIdentity(identity, jar, "/api/auth/sign-in/social", body);
  return z.object({ url: z.string() }).parse(await started.json()).url;
}

/** Signs in with the OpenID provider, from the sign-in page and back to it. */
export async function visitProvider(
  identity: Identity,
  account: string,
  { jar = cookieJar(), callbackURL = "/login" }: { jar?: CookieJar; callbackURL?: string } = {},
): Promise<Arrival> {
  return arrive(identity, jar, await logInAtProvider(await startAtProvider(identity, jar, callbackURL), account));
}

/** Opens the address that the provider sent the browser back to. */
export async function arrive(identity: Identity, jar: CookieJar, callback: URL): Promise<Arrival> {
  const returned = await askIdentity(identity, jar, callback.pathname + callback.search);
  const person = await identity.person({ cookie: jar.header() });
  return { location: returned.headers.get("location") ?? "", email: person?.email ?? null };
}
