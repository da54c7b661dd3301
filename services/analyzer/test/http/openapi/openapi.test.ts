import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appUrl, makeOrganization, startTestService, type TestService } from "../../test-service.ts";
import { everyRoute } from "./every-route.ts";

let service: TestService;
let document: Record<string, never>;
let applicationDocument: { paths: Record<string, unknown> };

beforeAll(async () => {
  service = await startTestService();
  document = (await service.app.inject({ url: "/openapi.json" })).json();
  applicationDocument = (await service.app.inject({ url: "/openapi.application.json" })).json();
});
afterAll(() => service.close());

/** What stands at a path of keys in the document. */
function at(...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), document);
}

describe("the interface description", () => {
  // requirement: openapi.3.1.0
  // requirement: openapi.version-1.0.0
  it("is OpenAPI 3.1.0, version 1.0.0", () => {
    expect(at("openapi")).toBe("3.1.0");
    expect(at("info", "version")).toBe("1.0.0");
  });

  // requirement: service.four-public-operations
  // requirement: openapi.unversioned-paths
  it("has only the four public operations", () => {
    const operations = Object.entries(Object(at("paths"))).map(([path, item]) => [path, Object.keys(Object(item))]);
    expect(Object.fromEntries(operations)).toEqual({
      "/api/mcp/analyze": ["post"],
      "/api/agents/register": ["post"],
      "/api/agents/claim": ["post"],
      "/api/agents/status": ["get"],
    });
  });

  // requirement: analyze.operation-id
  // requirement: analyze.tag
  // requirement: auth.openapi-header-required
  it("describes the analysis operation as specified, with its required key header", () => {
    expect(at("paths", "/api/mcp/analyze", "post")).toMatchObject({
      operationId: "analyze_incident_mcp_api_mcp_analyze_post",
      tags: ["mcp"],
      parameters: [{ name: "X-API-Key", in: "header", required: true }],
    });
  });

  // requirement: auth.openapi-no-global-security
  it("declares no global security requirement", () => {
    expect(document).not.toHaveProperty("security");
  });

  it("lets every operation answer 422 with an HTTPValidationError", () => {
    for (const item of Object.values(Object(at("paths")))) {
      for (const operation of Object.values(Object(item))) {
        expect(Reflect.get(Object(Reflect.get(Object(operation), "responses")), "422")).toMatchObject({
          content: { "application/json": { schema: { $ref: "#/components/schemas/HTTPValidationError" } } },
        });
      }
    }
  });

  it.each([
    ["/api/mcp/analyze", "post", [200, 401, 403, 413, 422, 429, 500, 503, 507]],
    ["/api/agents/register", "post", [200, 403, 413, 422, 429, 500, 503]],
    ["/api/agents/claim", "post", [200, 401, 403, 404, 409, 410, 413, 422, 500, 503]],
    ["/api/agents/status", "get", [200, 401, 403, 404, 422, 500, 503]],
  ])("names every status that %s answers with", (path, method, statuses) => {
    const documented = Object.keys(Object(at("paths", path, method, "responses"))).map(Number);
    expect(documented.sort()).toEqual(statuses);
  });

  // requirement: validation.input-optional
  // requirement: validation.ctx-optional
  it("describes the request and the errors as specified", () => {
    expect(at("components", "schemas", "AnalyzeMCPIncidentRequest")).toMatchObject({
      required: ["error_log"],
      properties: { error_log: { type: "string" } },
    });
    expect(at("components", "schemas", "FileContent", "required")).toEqual(["name", "content"]);
    expect(at("components", "schemas", "ValidationError", "required")).toEqual(["loc", "msg", "type"]);
    expect(at("components", "schemas", "RegisterAgentRequest", "properties", "source")).toMatchObject({
      minLength: 1,
      maxLength: 50,
    });
  });

  it("resolves every reference to an existing schema", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name] of references) expect(at("components", "schemas", name ?? "")).toBeTypeOf("object");
  });
});

describe("both documents", () => {
  it.each(["/openapi.json", "/openapi.application.json"])("hold what a linter asks for: %s", async (url) => {
    const { body } = await service.app.inject({ url });
    // The service of this test is at an example's address.
    // Sentry's tools ask for paths that end with a slash.
    const rules = { "no-server-example.com": "off", "no-path-trailing-slash": "off" } as const;
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: body, absoluteRef: url, config });
    const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
    expect(found).toEqual([]);
    expect(JSON.parse(body).servers).toEqual([expect.objectContaining({ url: appUrl })]);
  });

  it("name the header and the cookie that carry a key and a session", async () => {
    const { cookie } = await makeOrganization(service, "schemes");
    expect(at("components", "securitySchemes")).toMatchObject({
      key: { type: "apiKey", in: "header", name: "X-API-Key" },
      session: { type: "apiKey", in: "cookie", name: cookie.split("=")[0] },
    });
    expect(at("paths", "/api/mcp/analyze", "post", "security")).toEqual([{ key: [] }]);
    expect(at("paths", "/api/agents/register", "post", "security")).toEqual([]);
    expect(at("paths", "/api/agents/claim", "post", "security")).toEqual([{ session: [] }]);
  });
});

/** An operation of the application's document. */
function operationOf(path: string, method: string): unknown {
  return Reflect.get(Object(applicationDocument.paths[path]), method);
}

describe("the application's document", () => {
  it("has every other route below /api except the identity library's own", async () => {
    const routes = (await everyRoute(service)).filter(({ url }) => /^\/api\/(?!auth\/)/.test(url));
    const served = routes.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    // Only vendors send people there.
    const callback = "GET /api/integrations/{kind}/authorization/callback";
    const described = [Object(at("paths")), applicationDocument.paths].flatMap((paths) =>
      Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(Object(item)).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    const ofGateway = ["POST /api/telemetry/events", "POST /api/telemetry/sources"];
    expect(described.sort()).toEqual([...served.filter((one) => one !== callback), ...ofGateway].sort());
    expect(served.length).toBeGreaterThan(40);
  });

  it("lists for each operation the scopes of keys that may use it", () => {
    expect(operationOf("/api/telemetry/events", "post")).toMatchObject({ "x-key-scopes": ["send", "full"] });
    expect(operationOf("/api/incidents", "get")).toMatchObject({
      "x-key-scopes": ["read", "full"],
      security: [{ key: [] }, { session: [] }],
      parameters: expect.arrayContaining([expect.objectContaining({ name: "X-API-Key", required: false })]),
    });
    expect(operationOf("/api/keys", "post")).not.toHaveProperty("x-key-scopes");
  });

  it("has an example of each error that an operation can return", () => {
    const { responses } = Object(operationOf("/api/keys/{id}", "delete"));
    expect(Object.keys(responses)).toEqual(["200", "401", "403", "404", "422", "500", "503"]);
    expect(responses[403].content["application/json"].examples).toEqual({
      WHENCE_ERR_OWNER_ONLY: {
        value: { code: "WHENCE_ERR_OWNER_ONLY", detail: "only an owner of the organization may do this" },
      },
      WHENCE_ERR_ORIGIN_REFUSED: {
        value: {
          code: "WHENCE_ERR_ORIGIN_REFUSED",
          detail: "the request comes from a page of …: open the service at …",
        },
      },
    });
    expect(responses[404].description).toContain("WHENCE_ERR_KEY_NOT_FOUND");
  });
});

const boundsSchema = z.object({
  name: z.string(),
  in: z.string(),
  schema: z.object({
    type: z.string().optional(),
    enum: z.array(z.string()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    format: z.string().optional(),
  }),
});

/** A value just beyond each bound that a parameter states. */
function beyond({ schema }: z.infer<typeof boundsSchema>): string[] {
  const { minimum, maximum, maxLength } = schema;
  return [
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(schema.enum || schema.format ? ["nothing of the kind"] : []),
  ];
}

describe("the query and the body of an operation", () => {
  it("have the documented limits of each parameter, and are rejected with 422 beyond them", async () => {
    const acme = await makeOrganization(service, "bounds");
    const { paths } = applicationDocument;
    let tried = 0;
    for (const [path, item] of Object.entries(paths)) {
      const { parameters = [] } = z
        .object({ parameters: z.array(z.unknown()).optional() })
        .parse(Reflect.get(Object(item), "get") ?? {});
      const bounds = parameters.flatMap((parameter) => boundsSchema.safeParse(parameter).data ?? []);
      for (const parameter of bounds.filter((one) => one.in === "query")) {
        for (const value of beyond(parameter)) {
          const url = `${path}?${new URLSearchParams({ [parameter.name]: value })}`;
          const answer = await service.app.inject({ url, headers: { cookie: acme.cookie } });
          expect(answer.statusCode, url.slice(0, 80)).toBe(422);
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(15);
    expect(Object(operationOf("/api/incidents", "get")).parameters).toContainEqual({
      ...{ name: "limit", in: "query", required: false },
      schema: expect.objectContaining({ type: "integer", minimum: 1, maximum: 100, default: 50 }),
    });
  });

  it("are documented for every operation that changes something, unless it takes no body", () => {
    const bodiless = [Object(at("paths")), applicationDocument.paths]
      .flatMap((paths) => Object.values(paths))
      .flatMap((item) => Object.entries(Object(item)))
      .filter(([method, operation]) => ["post", "put"].includes(method) && !("requestBody" in Object(operation)));
    expect(bodiless.map(([, operation]) => Object(operation).operationId).sort()).toEqual([
      "check_in",
      "check_model",
      "confirm_agent",
      "open_pull_request",
      "pause_monitor",
      "replace_alert_source_secret",
      "replace_check_in_key",
      "replace_notification_secret",
      "rerun_incident",
      "resume_monitor",
      "rotate_key",
      "test_monitor",
      "test_notification_rule",
      "unmerge_incident",
      // A form.
      "upload_artifact_chunks",
      "verify_integration",
    ]);
  });
});
