import { once } from "node:events";
import { createServer } from "node:http";
import { discoverProvider } from "@whence/vendors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../../../test/servers/free-port.ts";
import { issuerAt, type OpenIdProvider, startOpenIdProvider } from "../../../../test/servers/openid-provider.ts";
import { createIdentity } from "../../src/identity/create-identity.ts";
import type { Identity } from "../../src/identity/identity.ts";
import { openIdPlugin } from "../../src/identity/openid-plugin.ts";
import { providerRestMs } from "../../src/identity/reach-provider.ts";
import {
  appUrl,
  makeOrganization,
  noMail,
  quickHashing,
  signInMember,
  silent,
  startTestService,
  type TestService,
} from "../test-service.ts";
import { arrive, askIdentity, cookieJar, logInAtProvider, startAtProvider, visitProvider } from "./provider-visit.ts";

/** The people of the provider start here and, unless they are let in, end here with a reason. */
const refused = (reason: string) => ({
  location: expect.stringMatching(new RegExp(`^/login\\?error=${reason}(&|$)`)),
  email: null,
});

const redirectUri = `${appUrl}/api/auth/callback/oidc`;
const client = { id: "whence", secret: "of the tests / and + more", redirectUri };
const claims = (email: string, email_verified: boolean | string) => ({ email, email_verified, name: "Someone" });
const accounts = {
  owner: claims("owner@acme.example", true),
  eve: claims("owner@acme.example", false),
  mallory: claims("owner@acme.example", "false"),
  late: claims("late@acme.example", true),
  invited: claims("Invited@acme.example", true),
  claimsInvited: claims("invited@acme.example", false),
  stranger: claims("stranger@example.com", true),
  nameless: { email: "nameless@example.com", email_verified: true },
};

let service: TestService;
let acme: { id: string; cookie: string };
let port: number;
let provider: OpenIdProvider;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  port = await freePort();
  provider = await startOpenIdProvider({ port, client, accounts });
});
afterAll(async () => {
  await provider?.stop();
  await service?.close();
});

const identityWith = (openSignUp = false, issuer = issuerAt(port), at = client, clock = Date.now): Identity =>
  createIdentity({
    control: service.control,
    clock,
    secretKeys: [service.secretKey],
    appUrl,
    openSignUp,
    providers: { oidc: { issuer, name: "Acme SSO", clientId: at.id, clientSecret: at.secret } },
    mailer: noMail,
    passwordHashing: quickHashing,
    logger: silent,
  });

const tables = () =>
  service.control.identity.db.withTables<{
    user: { email: string; emailVerified: number; name: string };
    account: { providerId: string; accountId: string } & Record<
      "accessToken" | "refreshToken" | "idToken",
      string | null
    >;
  }>();

const isKnown = async (email: string): Promise<boolean> =>
  (await tables().selectFrom("user").select("email").where("email", "=", email).execute()).length > 0;

const linkedAccounts = () => tables().selectFrom("account").selectAll().where("providerId", "=", "oidc").execute();

async function invite(email: string): Promise<void> {
  const body = { email, role: "member", organizationId: acme.id };
  const headers = { cookie: acme.cookie, origin: appUrl, "content-type": "application/json" };
  const url = `${appUrl}/api/auth/organization/invite-member`;
  await service.identity.handle(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** An ID token that names this subject. Its signature is verified elsewhere. */
function tokenOf(sub: string): string {
  const claims = Buffer.from(JSON.stringify({ sub })).toString("base64url");
  return ["header", claims, "signature"].join(".");
}

describe("sign-in with an OpenID provider", () => {
  it("is offered by the name that the operator gave it", () => {
    expect(identityWith().options.providers).toEqual([{ id: "oidc", name: "Acme SSO" }]);
  });

  it("asks with PKCE, a state, and a nonce, for the address and the name", async () => {
    const { searchParams } = new URL(await startAtProvider(identityWith(), cookieJar()));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^\S{32}$/),
      nonce: expect.stringMatching(/^\S{32}$/),
      redirect_uri: redirectUri,
      scope: "openid email profile",
    });
  });

  it("isn't possible with an ID token alone, which another application could replay", async () => {
    const body = { provider: "oidc", idToken: { token: "a.b.c" } };
    for (const path of ["/api/auth/sign-in/social", "/api/auth/link-social"]) {
      expect((await askIdentity(identityWith(), cookieJar(), path, body)).status).toBe(400);
    }
  });

  it("fails for a person whom the provider doesn't let in", async () => {
    expect((await visitProvider(identityWith(), "")).location).toMatch(/^\/login\?error=access_denied/);
  });
});

describe("an existing account", () => {
  it.each(["eve", "mallory"])("isn't entered by %s, who only claims its address at the provider", async (account) => {
    for (const openSignUp of [true, false]) {
      expect(await visitProvider(identityWith(openSignUp), account)).toEqual(refused("account_not_linked"));
    }
    expect(await linkedAccounts()).toEqual([]);
  });

  it("isn't entered while its own address isn't verified: a stranger may have signed up with it", async () => {
    await signInMember(service, acme.id, "late@acme.example", "member");
    await tables().updateTable("user").set({ emailVerified: 0 }).where("email", "=", "late@acme.example").execute();
    expect(await visitProvider(identityWith(), "late")).toEqual(refused("account_not_linked"));
    expect(await linkedAccounts()).toEqual([]);
  });

  it("is entered once both have verified its address, and leads back to the page", async () => {
    const arrival = await visitProvider(identityWith(), "owner", { callbackURL: "/login?next=%2Fincidents" });
    expect(arrival).toEqual({ location: "/login?next=%2Fincidents", email: "owner@acme.example" });
    expect(await visitProvider(identityWith(), "owner")).toMatchObject({ email: "owner@acme.example" });
  });

  it("isn't entered by whom another provider calls the same, but by its own person there", async () => {
    const otherPort = await freePort();
    const others = { owner: accounts.stranger, ada: accounts.owner };
    const other = await startOpenIdProvider({ port: otherPort, client, accounts: others });
    const identity = identityWith(false, issuerAt(otherPort));
    expect(await visitProvider(identity, "owner")).toEqual(refused("not_invited"));
    expect(await visitProvider(identity, "ada")).toMatchObject({ email: "owner@acme.example" });
    expect((await linkedAccounts()).map(({ accountId }) => accountId).sort()).toEqual(
      [`${issuerAt(port)} owner`, `${issuerAt(otherPort)} ada`].sort(),
    );
    expect(await visitProvider(identityWith(), "owner")).toMatchObject({ email: "owner@acme.example" });
    await other.stop();
  });

  it.each([undefined, "", " "])("isn't found by a profile whose subject is %j", async (sub) => {
    const application = { issuer: issuerAt(port), name: "Acme SSO", clientId: client.id, clientSecret: client.secret };
    const { options } = openIdPlugin(application, await discoverProvider(issuerAt(port)));
    const profile = {
      email: "owner@acme.example",
      emailVerified: true,
      name: "Someone",
      ...(sub !== undefined && { sub }),
    };
    const tokens = { idToken: tokenOf("owner") };
    expect(options.config.map(({ accountSubject }) => accountSubject?.({ tokens, profile }))).toEqual([""]);
  });

  it.each([
    ["owner", tokenOf("owner"), (issuer: string) => `${issuer} owner`],
    ["someone else", tokenOf("ada"), () => ""],
    ["no one", undefined, () => ""],
  ])("is the profile's if the ID token names them, and not if it names %s", async (_, idToken, expected) => {
    const issuer = issuerAt(port);
    const application = { issuer, name: "Acme SSO", clientId: client.id, clientSecret: client.secret };
    const metadata = await discoverProvider(issuer);
    const { options } = openIdPlugin(application, metadata);
    const profile = { sub: "owner", email: "owner@acme.example", emailVerified: true, name: "Someone" };
    const tokens = idToken === undefined ? {} : { idToken };
    const found = options.config.map(({ accountSubject }) => accountSubject?.({ tokens, profile }));
    expect(found).toEqual([expected(metadata.issuer)]);
  });

  it("keeps no token of the provider", async () => {
    const none = { accessToken: null, refreshToken: null, idToken: null };
    const linked = await linkedAccounts();
    expect(linked.length).toBeGreaterThan(0);
    expect(linked).toEqual(linked.map(() => expect.objectContaining(none)));
  });
});

describe("a new person", () => {
  it("isn't let in where sign-up is by invitation and their address has none", async () => {
    expect(await visitProvider(identityWith(), "stranger")).toEqual(refused("not_invited"));
    expect(await isKnown("stranger@example.com")).toBe(false);
  });

  it("isn't let in with an address that the provider hasn't verified, even if it is invited or sign-up is open", async () => {
    await invite("invited@acme.example");
    for (const openSignUp of [true, false]) {
      expect(await visitProvider(identityWith(openSignUp), "claimsInvited")).toEqual(refused("email_not_verified"));
    }
    expect(await isKnown("invited@acme.example")).toBe(false);
  });

  it("is let in with an invited address, and joins by the link in the mail", async () => {
    const jar = cookieJar();
    const identity = identityWith();
    expect(await visitProvider(identity, "invited", { jar })).toEqual({
      location: "/login",
      email: "invited@acme.example",
    });
    const headers = { cookie: jar.header() };
    expect(await identity.member(headers)).toBeNull();
    const invitationId = /invitation=(\S+)/.exec(service.mails.at(-1)?.text ?? "")?.[1];
    await askIdentity(identity, jar, "/api/auth/organization/accept-invitation", { invitationId });
    expect(await identity.member(headers)).toMatchObject({ organizationId: acme.id, role: "member", name: "Someone" });
  });

  it("is let in without an invitation where sign-up is open, and called by their address without a name", async () => {
    const arrival = await visitProvider(identityWith(true), "nameless");
    expect(arrival.email).toBe("nameless@example.com");
    const named = tables().selectFrom("user").select("name").where("email", "=", "nameless@example.com");
    expect(await named.execute()).toEqual([{ name: "nameless@example.com" }]);
  });
});

describe("the return from a provider", () => {
  async function start(jar = cookieJar()) {
    const identity = identityWith();
    return { identity, jar, callback: await logInAtProvider(await startAtProvider(identity, jar), "owner") };
  }

  it("isn't accepted in another browser than the one that started, or without a state", async () => {
    const { identity, callback } = await start();
    expect(await arrive(identity, cookieJar(), callback)).toEqual(refused("state_mismatch"));
    callback.searchParams.delete("state");
    expect((await arrive(identity, cookieJar(), callback)).email).toBeNull();
  });

  it("isn't accepted with a code that was made for another start", async () => {
    const [mine, theirs] = [await start(), await start()];
    mine.callback.searchParams.set("code", theirs.callback.searchParams.get("code") ?? "");
    expect(await arrive(mine.identity, mine.jar, mine.callback)).toEqual(refused("invalid_code"));
  });

  it("isn't accepted from another issuer", async () => {
    const { identity, jar, callback } = await start();
    callback.searchParams.set("iss", "https://evil.example");
    expect(await arrive(identity, jar, callback)).toEqual(refused("issuer_mismatch"));
  });

  it("is accepted once", async () => {
    const { identity, jar, callback } = await start();
    expect((await arrive(identity, jar, callback)).email).toBe("owner@acme.example");
    expect(await arrive(identity, cookieJar(), callback)).toMatchObject({ email: null });
  });

  it("works in a process that didn't start it, such as after a restart", async () => {
    const { jar, callback } = await start();
    expect((await arrive(identityWith(), jar, callback)).email).toBe("owner@acme.example");
  });
});

describe("a provider that can't be used", () => {
  const start = (identity: Identity) => startAtProvider(identity, cookieJar());
  const unavailable = expect.objectContaining({ code: "WHENCE_ERR_IDENTITY_PROVIDER_UNAVAILABLE" });

  it("doesn't prevent signing in with a password, and is used some time after it recovers", async () => {
    const laterPort = await freePort();
    let now = Date.now();
    const identity = identityWith(false, issuerAt(laterPort), client, () => now);
    await expect(start(identity)).rejects.toEqual(unavailable);
    const credentials = { email: "owner@acme.example", password: "correct horse battery" };
    expect(await identity.signIn(credentials)).not.toBeNull();
    const back = new Request(`${redirectUri}?code=a&state=b`);
    expect((await identity.handle(back)).headers.get("location")).toBe(`${appUrl}/login?error=provider_unavailable`);
    const later = await startOpenIdProvider({ port: laterPort, client, accounts });
    now += providerRestMs - 1;
    await expect(start(identity)).rejects.toEqual(unavailable);
    now += 1;
    expect(await visitProvider(identity, "owner")).toMatchObject({ location: "/login" });
    await later.stop();
  });

  it("isn't used when it names another issuer than the operator", async () => {
    const metadata = await (await fetch(`${issuerAt(port)}/.well-known/openid-configuration`)).text();
    const impostor = createServer((_request, response) => {
      response.setHeader("content-type", "application/json").end(metadata);
    }).listen(0, "127.0.0.1");
    await once(impostor, "listening");
    const address = z.object({ port: z.number() }).parse(impostor.address());
    await expect(start(identityWith(false, issuerAt(address.port)))).rejects.toEqual(unavailable);
    impostor.close();
  });

  it("lets no one in when it doesn't accept the service's own secret", async () => {
    const identity = identityWith(false, issuerAt(port), { ...client, secret: "another" });
    expect(await visitProvider(identity, "owner")).toEqual(refused("invalid_code"));
  });
});
