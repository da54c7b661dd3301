import { argv, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";

/** An account: its id, and the claims that the provider makes. */
type Accounts = Readonly<Record<string, { readonly [claim: string]: string | boolean }>>;

interface Settings {
  readonly port: number;
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  readonly accounts: Accounts;
}

const { port, client, accounts }: Settings = JSON.parse(argv[2] ?? "");
const issuer = `http://127.0.0.1:${port}`;

const provider: Provider = new Provider(issuer, {
  clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] }],
  claims: { email: ["email", "email_verified"], profile: ["name"] },
  conformIdTokenClaims: false,
  cookies: { keys: ["a key of the tests"] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  findAccount: (_context, sub) => {
    const claims = accounts[sub];
    return claims && { accountId: sub, claims: () => ({ sub, ...claims }) };
  },
  // Everyone consents to everything.
  async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
    const accountId = oidc.session?.accountId;
    const clientId = oidc.client?.clientId;
    if (accountId === undefined || clientId === undefined) return undefined;
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

/** The sign-in page: it asks who someone is, and believes it. */
provider.use(async (context, next) => {
  if (!context.path.startsWith("/interaction/")) return next();
  if (context.method === "GET") {
    context.type = "html";
    context.body = `<!doctype html><title>Provider</title><form method="post"><label>Account <input name="account"></label><button>Log in</button></form>`;
    return;
  }
  const accountId = new URLSearchParams(await text(context.req)).get("account") ?? "";
  const result = accountId === "" ? { error: "access_denied" } : { login: { accountId } };
  await provider.interactionFinished(context.req, context.res, result);
  context.respond = false;
});

stdin.resume().once("close", () => process.exit());
provider.listen(port, "127.0.0.1", () => stdout.write("ready\n"));
