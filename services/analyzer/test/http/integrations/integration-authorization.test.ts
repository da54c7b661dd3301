import { integrationListSchema, type OfferedIntegration } from "@whence/protocol";
import { integrationRegistry } from "@whence/vendors";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { integrationLimits } from "../../../src/integrations/integration-limits.ts";
import {
  type AuthorizationServer,
  clientSecret,
  startAuthorizationServer,
} from "../../integrations/authorization/authorization-server.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const kind = "gitlab";
let vendor: AuthorizationServer;
let service: TestService;
let app: FastifyInstance;
let acme: TestOrganization;
const logged: string[] = [];

beforeAll(async () => {
  let now = (): number => 0;
  vendor = await startAuthorizationServer(() => now());
  service = await startTestService({}, false, {}, false, true, {
    ...vendor.outbound,
    registry: integrationRegistry,
  });
  now = () => service.clock.now;
  // The server logs requests without their queries too.
  const serializers = { req: ({ method, routeOptions }: FastifyRequest) => ({ method, path: routeOptions.url }) };
  const stream = { write: (line: string) => void logged.push(line) };
  app = Fastify({ logger: { level: "trace", serializers, stream } });
  await service.mount(app);
  acme = await makeOrganization(service, "acme");
});
afterAll(async () => {
  await app.close();
  await service.close();
  await vendor.close();
});
afterEach(() => disconnect());

const start = async (cookie = acme.cookie, of = kind): Promise<string> => {
  const answer = await app.inject({
    ...({ method: "POST", url: `/api/integrations/${of}/authorization` } as const),
    ...{ headers: { cookie }, payload: {} },
  });
  return answer.json().authorize_url ?? answer.json().code;
};
const comeBack = (url: string, cookie = acme.cookie, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { cookie, ...headers } });
const disconnect = () =>
  app.inject({ method: "DELETE", url: `/api/integrations/${kind}`, headers: { cookie: acme.cookie } });
const offered = async (): Promise<readonly OfferedIntegration[]> => {
  const answer = await app.inject({ url: "/api/integrations", headers: { cookie: acme.cookie } });
  return integrationListSchema.parse(answer.json()).integrations;
};
const connections = async () => (await offered()).flatMap((one) => one.connections);
const dump = async (): Promise<string> => {
  const rows: string[] = [];
  for await (const row of service.control.exportRows()) rows.push(JSON.stringify(row));
  return rows.join("\n");
};

describe("connecting by authorization", () => {
  // requirement: auth.integration-oauth
  it("sends the owner to the vendor with a state and a challenge, and connects once they come back", async () => {
    const authorizeUrl = new URL(await start());
    expect(authorizeUrl.origin + authorizeUrl.pathname).toBe(`${vendor.url}/oauth/authorize`);
    expect(Object.fromEntries(authorizeUrl.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: "the-client-id", scope: "read_api", code_challenge_method: "S256" },
      redirect_uri: `https://whence.example.com/api/integrations/${kind}/authorization/callback`,
    });
    const answer = await comeBack(vendor.allow(authorizeUrl.href));
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      "https://whence.example.com/settings/integrations",
    ]);
    expect(await connections()).toMatchObject([{ kind, vendor: "GitLab", belongs_to: "ada" }]);
    const configured = (await offered()).filter(({ authorization }) => authorization === "configured");
    expect(configured.map((one) => one.kind)).toEqual([kind]);
    const stored = await service.control.scope(acme.id).integrations.credentials(kind);
    expect(vendor.secrets).toContain(stored?.access_token);
    const { entries } = (await app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } })).json();
    expect(entries[0]).toMatchObject({ action: "integration.connected", target: "GitLab" });
  });

  it("says that it was denied, and connects nothing", async () => {
    const answer = await comeBack(vendor.deny(await start()));
    expect([answer.statusCode, answer.json().code]).toEqual([409, "WHENCE_ERR_AUTHORIZATION_DENIED"]);
    expect(await connections()).toEqual([]);
  });

  it("shows a person the error as a page, which repeats nothing of the URL", async () => {
    const url = `${vendor.deny(await start())}&error_description=<script>alert(1)</script>`;
    const answer = await comeBack(url, acme.cookie, { accept: "text/html" });
    expect(answer.statusCode).toBe(409);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.body).toContain("the authorization at GitLab was denied");
    expect(answer.body).not.toContain("script");
  });

  it("rejects a state that it didn't create, and one that was used", async () => {
    const url = vendor.allow(await start());
    const forged = await comeBack(url.replace(/state=[^&]+/, "state=guessed"));
    expect(forged.json().code).toBe("WHENCE_ERR_AUTHORIZATION_UNKNOWN");
    expect((await comeBack(url)).statusCode).toBe(303);
    expect((await comeBack(url)).json().code).toBe("WHENCE_ERR_AUTHORIZATION_UNKNOWN");
  });

  it("accepts a state once when it comes back twice at the same time", async () => {
    const url = vendor.allow(await start());
    const answers = await Promise.all([comeBack(url), comeBack(url)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409]);
  });

  it("rejects a state after ten minutes", async () => {
    const [early, late] = [service.clock.now, service.clock.now + integrationLimits.authorizedWithinMs];
    const inTime = vendor.allow(await start());
    service.clock.now = late - 1;
    expect((await comeBack(inTime)).statusCode).toBe(303);
    service.clock.now = early;
    const expired = vendor.allow(await start());
    service.clock.now = late;
    const answer = await comeBack(expired);
    expect([answer.statusCode, answer.json().code]).toEqual([410, "WHENCE_ERR_AUTHORIZATION_EXPIRED"]);
  });

  it("rejects the state of another session, another owner, and another kind", async () => {
    const url = vendor.allow(await start());
    const cookies = await service.identity.signIn({ email: "owner@acme.example", password: "correct horse battery" });
    const sameOwner = (cookies ?? []).map((line) => line.split(";", 1)[0]).join("; ");
    const otherOwner = await signInMember(service, acme.id, `${crypto.randomUUID()}@acme.example`, "owner");
    const stranger = (await makeOrganization(service, crypto.randomUUID())).cookie;
    for (const cookie of [sameOwner, otherOwner, stranger]) {
      expect((await comeBack(url, cookie)).json().code).toBe("WHENCE_ERR_AUTHORIZATION_UNKNOWN");
    }
    expect((await comeBack(url.replace(kind, "issue-tracker"))).json().code).toBe(
      "WHENCE_ERR_AUTHORIZATION_UNCONFIGURED",
    );
    expect((await comeBack(url)).statusCode).toBe(303);
  });

  it("reports when the vendor rejects the code", async () => {
    const url = vendor.allow(await start());
    const answer = await comeBack(url.replace(/code=[^&]+/, "code=spent"));
    expect(answer.json()).toMatchObject({
      code: "WHENCE_ERR_AUTHORIZATION_REFUSED",
      detail: expect.stringContaining("GitLab no longer accepts this authorization"),
    });
  });

  it("is for owners, on their own pages only, and for kinds with an application", async () => {
    const member = await signInMember(service, acme.id, `${crypto.randomUUID()}@acme.example`, "member");
    expect(await start(member)).toBe("WHENCE_ERR_OWNER_ONLY");
    expect(await start(acme.cookie, "uptime")).toBe("WHENCE_ERR_INTEGRATION_BY_KEY");
    expect(await start(acme.cookie, "github")).toBe("WHENCE_ERR_AUTHORIZATION_UNCONFIGURED");
    const foreign = await app.inject({
      ...({ method: "POST", url: `/api/integrations/${kind}/authorization`, payload: {} } as const),
      headers: { cookie: acme.cookie, origin: "https://evil.example" },
    });
    expect(foreign.json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
  });

  it("revokes the tokens on disconnecting, and those that are replaced", async () => {
    await comeBack(vendor.allow(await start()));
    const before = vendor.asked.length;
    await comeBack(vendor.allow(await start()));
    expect(vendor.asked.slice(before).filter((one) => one === "POST /oauth/revoke")).toHaveLength(2);
    const between = vendor.asked.length;
    expect((await disconnect()).json()).toEqual({ kind, revoked: true });
    expect(vendor.asked.slice(between)).toEqual(["POST /oauth/revoke", "POST /oauth/revoke"]);
    expect(await connections()).toEqual([]);
  });

  it("keeps the assignment of repositories to services when it is connected again", async () => {
    const assign = (repositories: object) =>
      app.inject({
        ...({ method: "PUT", url: `/api/integrations/${kind}/repositories`, payload: { repositories } } as const),
        headers: { cookie: acme.cookie },
      });
    expect((await assign({ orders: "acme/shop" })).json().code).toBe("WHENCE_ERR_INTEGRATION_NOT_CONNECTED");
    await comeBack(vendor.allow(await start()));
    expect((await assign({ orders: "https://evil.example" })).statusCode).toBe(422);
    expect((await assign({ orders: "acme/shop" })).statusCode).toBe(200);
    await comeBack(vendor.allow(await start()));
    expect(await connections()).toMatchObject([{ inputs: { repositories: '{"orders":"acme/shop"}' } }]);
  });

  it("leaves no secret in logs, responses, the audit log, or the database", async () => {
    const answers = [await comeBack(vendor.allow(await start())), await comeBack(vendor.deny(await start()))];
    const state = new URL(await start()).searchParams.get("state") ?? "";
    vendor.forget();
    answers.push(await disconnect());
    const said = [...logged, ...answers.map(({ body, headers }) => body + JSON.stringify(headers)), await dump()].join(
      "\n",
    );
    expect([...vendor.secrets, clientSecret].filter((secret) => said.includes(secret))).toEqual([]);
    expect((await dump()).includes(state)).toBe(false);
  });
});
