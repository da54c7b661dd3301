import { keyScopes } from "@whence/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Access, byAnyone } from "./access.ts";
import type { HttpContext } from "./context.ts";
import { applicationOperations } from "./openapi-operations.ts";
import { type Operation, publicOperations } from "./openapi-public-operations.ts";
import { type SchemaName, schemas } from "./openapi-schemas.ts";
import { securityOf, securitySchemes } from "./openapi-security.ts";

const failed = "The service failed on this request, and recorded why";
const otherScope = "The key has another scope than x-key-scopes lists";
const unavailable = "The service cannot do this now; Retry-After says when to come back";

/** `/openapi.json` with the four documented operations, `/openapi.application.json` with the rest. */
export function openapiRoutes(app: FastifyInstance, { appUrl }: Pick<HttpContext, "appUrl">): void {
  const documents = {
    "/openapi.json": openapiDocument("Whence", publicOperations, appUrl),
    "/openapi.application.json": openapiDocument("Whence, the application's interface", applicationOperations, appUrl),
  };
  for (const [path, document] of Object.entries(documents)) app.get(path, byAnyone, async () => document);
}

function openapiDocument(title: string, operations: readonly Operation[], appUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0", license: { name: "Apache 2.0", identifier: "Apache-2.0" } },
    servers: [{ url: appUrl, description: "This service" }],
    paths,
    components: { schemas: schemasOf(paths), securitySchemes: securitySchemes(appUrl) },
  };
}

function describe(operation: Operation): object {
  const { access } = operation;
  const refusals = Object.entries({
    500: failed,
    503: unavailable,
    ...operation.refusals,
    ...forbidden(operation),
  }).map(([status, description]) => [status, { description, content: json("Error") }]);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary + whoMay(access),
    ...("scopes" in access ? { "x-key-scopes": [...new Set([...access.scopes, "full"])] } : {}),
    security: securityOf(access),
    ...parametersOf(operation),
    ...(operation.body ? { requestBody: { required: true, content: json(operation.body) } } : {}),
    responses: {
      [operation.success ?? 200]: {
        description: "Successful Response",
        content: operation.answer ? json(operation.answer) : { "application/json": { schema: {} } },
      },
      422: { description: "Validation Error", content: json("HTTPValidationError") },
      ...Object.fromEntries(refusals),
    },
  };
}

/** Beside its own reasons for a 403, a key of another scope than the operation takes. */
function forbidden({ access, refusals }: Operation): Readonly<Record<number, string>> {
  const isScoped = "scopes" in access && access.scopes.length < keyScopes.length;
  const reasons = [refusals[403], isScoped ? otherScope : undefined].filter((reason) => reason !== undefined);
  return reasons.length === 0 ? {} : { 403: reasons.join("; or: ") };
}

function whoMay({ by }: Access): string {
  return by === "member" || by === "owner" ? `, signed in as ${by}` : "";
}

function parametersOf({ access: { by }, parameters = [], query }: Operation): object {
  const schema = { type: "string" };
  const path = parameters.map((name) => ({ name, in: "path", required: true, schema }));
  const asked = query ? queryParameters(query) : [];
  const header =
    by === "key" || by === "key or member"
      ? [
          {
            name: "X-API-Key",
            in: "header",
            required: by === "key",
            schema: { type: "string", title: "X-Api-Key" },
          },
        ]
      : [];
  const all = [...header, ...path, ...asked];
  return all.length > 0 ? { parameters: all } : {};
}

/** Each with its bounds, as the route parses it. */
function queryParameters(query: z.ZodObject): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: "query", required: required.includes(name), schema };
  });
}

function json(name: SchemaName): object {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

/** The schemas that a document refers to, and those that they refer to. */
function schemasOf(paths: object): Record<string, unknown> {
  const made = componentSchemas();
  const found: Record<string, unknown> = {};
  const search = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in found) continue;
      found[name] = made[name];
      search(made[name]);
    }
  };
  search(paths);
  return found;
}

/** The schemas that the routes parse with, as JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
function componentSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(Object.entries(made).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}
