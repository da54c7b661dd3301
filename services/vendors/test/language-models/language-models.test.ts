import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import type { ModelProviderName } from "@whence/protocol";
import { generateText, streamText } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { VendorFailure } from "../../src/http/vendor-failure.ts";
import { type OpenedModel, openLanguageModel } from "../../src/language-models.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { awsEvents, recordedModel, serverSentEvents } from "./recorded-models.ts";

const key = "sk-live-Zm9vYmFyYmF6cXV4";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));

let server: VendorServer;
let elsewhere: VendorServer;
beforeAll(async () => {
  [server, elsewhere] = await Promise.all([startVendorServer(), startVendorServer()]);
});
afterAll(() => Promise.all([server.close(), elsewhere.close()]));
beforeEach(() => server.answer(() => ({ status: 404 })));

interface Case {
  readonly provider: ModelProviderName;
  readonly inputs: () => Readonly<Record<string, string>>;
  readonly path: string;
  readonly whole: string;
  readonly stream: () => string | Buffer;
  readonly says: string;
}

const anthropic: Case = {
  provider: "anthropic",
  inputs: () => ({ api_key: key }),
  path: "/v1/messages",
  whole: "anthropic-text.json",
  stream: () => serverSentEvents("anthropic-text.chunks.txt"),
  says: "Hello! I'm doing well",
};
const openai: Case = {
  provider: "openai",
  inputs: () => ({ api_key: key }),
  path: "/v1/responses",
  whole: "openai-phase.1.json",
  stream: () => serverSentEvents("openai-phase.1.chunks.txt"),
  says: "AI updates",
};
const compatible: Case = {
  provider: "openai-compatible",
  inputs: () => ({ base_url: `${server.url}/v1`, api_key: key }),
  path: "/v1/chat/completions",
  whole: "openai-text.json",
  stream: () => serverSentEvents("azure-model-router.1.chunks.txt"),
  says: "Galaxy Day",
};
const ollama: Case = {
  provider: "ollama",
  inputs: () => ({ base_url: server.url }),
  path: "/v1/chat/completions",
  whole: "openai-text.json",
  stream: () => serverSentEvents("azure-model-router.1.chunks.txt"),
  says: "Galaxy Day",
};
const bedrock: Case = {
  provider: "amazon-bedrock",
  inputs: () => ({ access_key_id: "AKIAEXAMPLE", secret_access_key: key, region: "eu-central-1" }),
  path: "/model/a-model/converse",
  whole: "amazon-bedrock-text.json",
  stream: () => awsEvents("amazon-bedrock-text.chunks.txt"),
  says: "strawberry",
};
const vertex: Case = {
  provider: "google-vertex",
  inputs: () => ({
    project: "shop-1",
    location: "europe-west1",
    client_email: "a@shop-1.iam.gserviceaccount.com",
    private_key: pem,
  }),
  path: "/v1beta1/projects/shop-1/locations/europe-west1/publishers/google/models/a-model:generateContent",
  whole: "google-text.json",
  stream: () => serverSentEvents("google-text.chunks.txt"),
  says: "3",
};
const cases: readonly Case[] = [anthropic, openai, compatible, ollama, bedrock, vertex];

async function open(one: Case, context: OutboundContext = server.context): Promise<OpenedModel> {
  const opened = await openLanguageModel({ provider: one.provider, name: "a-model", inputs: one.inputs() }, context);
  onTestFinished(() => opened.close());
  return opened;
}

/** Answers a request for an access token, which only Vertex AI makes, and everything else with what is given. */
function answer(body: string | Buffer, { status = 200, type = "application/json", headers = {} } = {}): void {
  server.answer(({ url }, response) => {
    const isToken = url.pathname === "/token";
    response.writeHead(isToken ? 200 : status, { "content-type": isToken ? "application/json" : type, ...headers });
    response.end(
      isToken ? JSON.stringify({ access_token: "ya29.token", expires_in: 3_600, token_type: "Bearer" }) : body,
    );
    return undefined;
  });
}

/** Returns why a model gives no text; null when it does. */
async function failureOf(one: Case, context?: OutboundContext): Promise<VendorFailure | "no text" | null> {
  const opened = await open(one, context);
  try {
    const { finishReason, text } = await generateText({ model: opened.model, prompt: "Hello", maxRetries: 0 });
    return opened.failureOfFinish(finishReason) ?? (text === "" ? "no text" : null);
  } catch (error) {
    return opened.failureOf(error);
  }
}

describe.each(cases)("$provider", (one) => {
  it("answers a whole request, with its tokens", async () => {
    const { model } = await open(one);
    answer(recordedModel(one.whole));
    const { text, usage } = await generateText({ model, prompt: "Hello" });
    expect(text).toContain(one.says);
    expect([usage.inputTokens, usage.outputTokens].every((tokens) => (tokens ?? 0) > 0)).toBe(true);
    expect(server.requests.at(-1)?.url.pathname).toBe(one.path);
  });

  it("streams", async () => {
    const { model } = await open(one);
    const type = one.provider === "amazon-bedrock" ? "application/vnd.amazon.eventstream" : "text/event-stream";
    answer(one.stream(), { type });
    const parts: string[] = [];
    for await (const part of streamText({ model, prompt: "Hello" }).textStream) parts.push(part);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join("").length).toBeGreaterThan(1);
  });

  it("asks no other host, whatever the environment says", async () => {
    for (const name of [
      "ANTHROPIC_BASE_URL",
      "OPENAI_BASE_URL",
      "AWS_ENDPOINT_URL",
      "AI_GATEWAY_BASE_URL",
      "HTTPS_PROXY",
    ])
      vi.stubEnv(name, elsewhere.url);
    for (const name of ["AWS_BEARER_TOKEN_BEDROCK", "GOOGLE_VERTEX_API_KEY", "AI_GATEWAY_API_KEY", "OPENAI_API_KEY"])
      vi.stubEnv(name, "of-the-environment");
    const fetched = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => {
      vi.unstubAllEnvs();
      fetched.mockRestore();
    });
    const from = server.requests.length;
    answer(recordedModel(one.whole));
    const { model } = await open(one);
    await generateText({ model, prompt: "Hello" });
    expect(fetched).not.toHaveBeenCalled();
    expect(elsewhere.requests).toEqual([]);
    const asked = server.requests.slice(from);
    expect(asked.map(({ url }) => url.pathname)).toEqual([
      ...(one.provider === "google-vertex" ? ["/token"] : []),
      one.path,
    ]);
    expect(JSON.stringify(asked.map(({ headers }) => headers))).not.toContain("of-the-environment");
  });

  it.each([
    [401, {}, "unauthorized", "rejected the credentials: enter valid ones"],
    [403, {}, "forbidden", "allow it there"],
    [404, {}, "not-found", "no model called a-model"],
    [429, { "retry-after": "20" }, "rate-limited", "try again in 20 seconds"],
    [500, {}, "unavailable", "failed (500): try again later"],
    [302, { location: "http://169.254.169.254/" }, "unexpected-answer", "rejected the request (302)"],
  ])("says what to do after %i, without the key", async (status, headers, reason, message) => {
    answer(JSON.stringify({ error: { message: `wrong key ${key}`, type: "error", code: "error" } }), {
      status,
      headers,
    });
    const failure = await failureOf(one);
    expect(failure).toMatchObject({ reason, message: expect.stringContaining(message) });
    expect(inspect(failure)).not.toContain(key);
  });

  it.each([
    ["nothing", ""],
    ["a page", "<html>Sign in</html>"],
    ["other JSON", '{"hello":"world"}'],
    ["cut JSON", recordedModel(one.whole).slice(0, 200)],
  ])("takes %s for no answer", async (_what, body) => {
    answer(body);
    const failure = await failureOf(one);
    const reason = typeof failure === "string" ? failure : failure?.reason;
    // OpenAI's library takes an answer without output for a failure of the provider.
    expect(reason).toMatch(
      one.provider === "openai" ? /^un(expected-answer|available)$/ : /^(unexpected-answer|no text)$/,
    );
  });

  it("reaches no private address that isn't allowed, and says how to allow it", async () => {
    const from = server.requests.length;
    const context = { ...server.context, mayReach: () => false };
    const failure = await failureOf(one, context);
    expect(failure).toMatchObject({ reason: "refused-address" });
    expect(inspect(failure)).toContain("WHENCE_ALLOWED_NETWORKS");
    expect(server.requests).toHaveLength(from);
  });
});

describe("a request to a model", () => {
  it("says when the model declined", async () => {
    answer(recordedModel("anthropic-refusal.json"));
    expect(await failureOf(anthropic)).toMatchObject({ reason: "declined" });
  });

  it("says when the account has no credit left", async () => {
    answer(recordedModel("openai-error.1.json"), { status: 429 });
    expect(inspect(await failureOf(compatible))).toContain("no credit left");
  });

  it("ends when it is stopped", async () => {
    const { model, failureOf: explain } = await open(ollama);
    server.answer(() => undefined);
    const abortSignal = AbortSignal.timeout(50);
    const failed = generateText({ model, prompt: "Hello", abortSignal, maxRetries: 0 }).catch(explain);
    expect(await failed).toMatchObject({ reason: "too-slow" });
  });

  it("says when nothing listens at the address", async () => {
    const gone = await startVendorServer();
    await gone.close();
    const closed = { ...ollama, inputs: () => ({ base_url: gone.url }) };
    expect(await failureOf(closed)).toMatchObject({ reason: "unavailable" });
  });

  it.each([
    ["UnrecognizedClientException", "The security token included in the request is invalid."],
    ["InvalidSignatureException", "The request signature we calculated does not match the signature you provided."],
    ["ExpiredTokenException", "The security token included in the request is expired"],
  ])("says that Amazon rejected the key after %s", async (type, message) => {
    for (const headers of [{ "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` }, {}]) {
      const body = { message, ...("x-amzn-errortype" in headers ? {} : { __type: type }) };
      answer(JSON.stringify(body), { status: 403, headers });
      expect(await failureOf(bedrock)).toMatchObject({ reason: "unauthorized" });
    }
    answer(JSON.stringify({ message: "You don't have access to the model" }), {
      ...{ status: 403, headers: { "x-amzn-errortype": "AccessDeniedException" } },
    });
    expect(await failureOf(bedrock)).toMatchObject({ reason: "forbidden" });
  });

  it.each([
    [400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }, "unauthorized"],
    [400, { error: "invalid_grant", error_description: "Invalid grant: account not found" }, "unauthorized"],
    [403, { error: "access_denied" }, "unauthorized"],
    [302, { error: "moved" }, "unavailable"],
  ])("says why Google gave no token after %i %j", async (status, body, reason) => {
    server.answer(({ url }) => (url.pathname === "/token" ? { status, body: JSON.stringify(body) } : { status: 500 }));
    expect(await failureOf(vertex)).toMatchObject({ reason });
  });

  it("isn't stored at OpenAI", async () => {
    answer(recordedModel("openai-phase.1.json"));
    await failureOf(openai);
    expect(JSON.parse(server.requests.at(-1)?.body ?? "")).toMatchObject({ store: false });
  });

  it("goes to Ollama's endpoint, entered with or without it", async () => {
    for (const base_url of [server.url, `${server.url}/`, `${server.url}/v1/`]) {
      answer(recordedModel("openai-text.json"));
      await failureOf({ ...ollama, inputs: () => ({ base_url }) });
      expect(server.requests.at(-1)?.url.pathname).toBe("/v1/chat/completions");
    }
  });

  it.each([
    ["amazon-bedrock", "a region", { access_key_id: "a", secret_access_key: "b", region: "evil.example.com/" }],
    [
      "google-vertex",
      "a location",
      { project: "p", location: "evil.example.com/", client_email: "a@b.c", private_key: pem },
    ],
    ["google-vertex", "a project", { project: "../p", location: "global", client_email: "a@b.c", private_key: pem }],
    ["ollama", "an address", { base_url: "file:///etc/passwd" }],
    [
      "google-vertex",
      "a key",
      { project: "p", location: "global", client_email: "a@b.c", private_key: pem.slice(0, 200) },
    ],
  ] as const)("doesn't begin at %s with %s that can't be right", async (provider, _input, inputs) => {
    const opened = openLanguageModel({ provider, name: "a-model", inputs }, server.context);
    await expect(opened).rejects.toMatchObject({ reason: "invalid-input" });
  });
});
