import { limits } from "@whence/protocol";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { answerUnreadablePath } from "../../../src/index.ts";
import { makeOrganization, startTestService, type TestService } from "../../test-service.ts";
import { valuesOf } from "./json-schema-values.ts";

const requestsPerOperation = 60;
const timeoutMs = 600_000;
/** Answers of a machine that is too busy to read a text in time. */
const outOfTime: readonly unknown[] = ["WHENCE_ERR_PREVIEW_UNAVAILABLE", "WHENCE_ERR_BODY_UNREAD"];
const documentId = "document";

const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.json() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.json() })) }).optional(),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.json()) })) }),
  ),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(["get", "post", "put", "delete"]), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.json()) }),
});
type Document = z.infer<typeof documentSchema>;

/** What the gateway answers, and what takes the session or the data away that the other requests need. */
const leftOut = new Set(["/api/telemetry/events", "/api/telemetry/sources", "/api/account", "/api/organization/data"]);

let service: TestService;
let app: FastifyInstance;
let identities: readonly Record<string, string>[];
let documents: readonly Document[];

beforeAll(async () => {
  service = await startTestService();
  app = Fastify({
    frameworkErrors: answerUnreadablePath,
    routerOptions: { maxParamLength: limits.serviceLengthMax },
  });
  await service.mount(app);
  const acme = await makeOrganization(service, "acme");
  identities = [{}, { "x-api-key": acme.key }, { cookie: acme.cookie }, { "x-api-key": "whk_unknown" }];
  documents = await Promise.all(
    ["/openapi.json", "/openapi.application.json"].map(async (url) =>
      documentSchema.parse((await service.app.inject({ url })).json()),
    ),
  );
});
afterAll(async () => {
  await app.close();
  await service.close();
});

interface Operation {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly operation: z.infer<typeof operationSchema>;
  readonly schemas: Document["components"]["schemas"];
  /** Knows the operation's document. */
  readonly validator: Ajv2020;
}

function operations(): Operation[] {
  return documents.flatMap((document) => {
    const {
      paths,
      components: { schemas },
    } = document;
    const validator = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, documentId);
    return Object.entries(paths).flatMap(([path, item]) =>
      (["get", "post", "put", "delete"] as const).flatMap((method) => {
        const operation = item[method];
        return operation === undefined || leftOut.has(path) ? [] : [{ path, method, operation, schemas, validator }];
      }),
    );
  });
}

/** Requests that the description allows, and some that it doesn't. */
function requestsTo({ path, method, operation, schemas }: Operation): fc.Arbitrary<Request> {
  const { parameters, requestBody } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const given = Object.fromEntries(
    parameters.filter((one) => one.in !== "header").map(({ name, schema }) => [name, valuesOf(schema, schemas)]),
  );
  return fc
    .record({
      headers: fc.constantFrom(...identities),
      parameters: fc.record(given, {
        requiredKeys: parameters.flatMap((one) => (one.in === "path" ? [one.name] : [])),
      }),
      ...(body === undefined ? {} : { payload: valuesOf(body, schemas) }),
    })
    .map(({ headers, parameters: values, ...sent }) => {
      const query = parameters.filter((one) => one.in === "query" && one.name in values);
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(values[name]));
      const url = `${filled}?${query.map(({ name }) => `${name}=${encodeURIComponent(text(values[name]))}`).join("&")}`;
      const isJson = "payload" in sent;
      return {
        method: method.toUpperCase() as Request["method"],
        url,
        headers: { ...headers, ...(isJson ? { "content-type": "application/json" } : {}) },
        ...(isJson ? { payload: JSON.stringify(sent.payload) } : {}),
      };
    });
}

interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
}

function text(value: unknown): string {
  return String(typeof value === "object" ? JSON.stringify(value) : value).toWellFormed();
}

const typeOf = (header: unknown): string => String(header).split(";", 1)[0] ?? "";

/** The check of the body that an operation's document states for a status and a media type. */
function bodyCheck({ path, method, validator }: Operation, status: number, mediaType: string): ValidateFunction {
  const place = ["paths", path, method, "responses", String(status), "content", mediaType, "schema"];
  const pointer = place.map((key) => encodeURIComponent(key.replaceAll("/", "~1"))).join("/");
  const check = validator.getSchema(`${documentId}#/${pointer}`);
  if (!check) throw new Error(`${method} ${path} states no ${mediaType} for ${status}`);
  return check;
}

/** What the router or the client takes for another path, too long a name or a step up, asks no operation. */
function pathSegment(value: unknown): string {
  const segment = text(value).slice(0, limits.serviceLengthMax).toWellFormed();
  return ["", ".", ".."].includes(segment) ? "x" : encodeURIComponent(segment);
}

describe("every operation of both interface descriptions", () => {
  it("answers any input with a documented status and body, and never fails", {
    timeout: timeoutMs,
  }, async () => {
    const found = operations();
    expect(found.length).toBeGreaterThan(40);
    const statuses = new Set<number>();
    for (const one of found) {
      const documented = Object.keys(one.operation.responses).map(Number);
      const property = fc.asyncProperty(requestsTo(one), async (request) => {
        const answer = await app.inject(request);
        statuses.add(answer.statusCode);
        if (answer.statusCode === 503) expect(outOfTime).toContain(answer.json().code);
        else expect(answer.statusCode).toBeLessThan(500);
        expect(documented).toContain(answer.statusCode);
        const mediaType = typeOf(answer.headers["content-type"]);
        const check = bodyCheck(one, answer.statusCode, mediaType);
        const isValid = check(mediaType === "application/json" ? answer.json() : answer.body);
        expect(isValid, `${one.method} ${one.path}: ${answer.statusCode} ${JSON.stringify(check.errors)}`).toBe(true);
      });
      await fc.assert(property, { numRuns: requestsPerOperation });
    }
    // Requests get as far as their operation, and not all of them are refused there.
    for (const status of [200, 401, 404, 422]) expect(statuses).toContain(status);
  });
});
