import type { FastifySchema, RouteOptions } from "fastify";
import { z } from "zod";
import type { Access } from "../access.ts";
import type { ApiComponents } from "./openapi-components.ts";
import { accessErrors, type ErrorCode, errorResponses } from "./openapi-errors.ts";
import { securityOf } from "./openapi-security.ts";

declare module "fastify" {
  interface FastifySchema {
    /** The route's own errors. Those implied by its access, method, and body are added. */
    errors?: readonly ErrorCode[];
  }
}

const sessionOf = { member: "For a signed-in member.", owner: "For a signed-in owner." } as const;
const success = "Successful Response";
const responsesSchema = z.record(
  z.string(),
  z.union([z.instanceof(z.ZodType), z.object({ content: z.record(z.string(), z.unknown()) })]),
);

/** The description of a route in the documents, from its schemas and its access. A route without an id is left out. */
export function describedRoute(
  schema: FastifySchema | undefined,
  { method, config }: Pick<RouteOptions, "method" | "config">,
  components: ApiComponents,
): FastifySchema {
  const access = config?.access;
  if (!schema?.operationId || !access) return { hide: true };
  const { operationId, tags = [], summary, body, querystring, response, errors = [] } = schema;
  const name = operationId.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    operationId,
    tags,
    ...(summary ? { summary } : {}),
    ...accessOf(access),
    ...(querystring instanceof z.ZodType ? { querystring: parameters(querystring) } : {}),
    ...(body instanceof z.ZodType ? { body: components.reference(body, `${name}Request`) } : {}),
    response: {
      ...successes(response, (answer) => components.reference(answer, `${name}Response`)),
      ...errorResponses([...impliedErrors(access, method !== "GET", body !== undefined), ...errors]),
    },
  };
}

/** The callers that may use an operation, in the document's form. */
export function accessOf(access: Access) {
  const scopes = "scopes" in access ? { "x-key-scopes": [...new Set([...access.scopes, "full"])] } : {};
  const role = access.by === "member" || access.by === "owner" ? { description: sessionOf[access.by] } : {};
  return { security: securityOf(access), ...scopes, ...role };
}

/** The query's properties with their limits, each as a parameter. */
function parameters(query: z.ZodType): object {
  return z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
}

/** The success responses. A route describes responses other than JSON itself. */
function successes(response: unknown, reference: (answer: z.ZodType) => object): Record<string, object> {
  const answers = Object.entries(responsesSchema.parse(response ?? {}));
  return Object.fromEntries(
    answers.map(([status, answer]) => [
      status,
      answer instanceof z.ZodType
        ? { description: success, content: { "application/json": { schema: reference(answer) } } }
        : { description: success, ...answer },
    ]),
  );
}

/** A request that changes something may come from a browser, so requests from other sites are refused. */
function impliedErrors(access: Access, isChange: boolean, hasBody: boolean): ErrorCode[] {
  const isOpenToSessions = access.by !== "key" && access.by !== "anyone";
  return [
    ...accessErrors(access),
    ...(isChange && isOpenToSessions ? (["WHENCE_ERR_ORIGIN_REFUSED"] as const) : []),
    ...(hasBody ? (["WHENCE_ERR_BODY_TOO_LARGE"] as const) : []),
    "WHENCE_ERR_INTERNAL",
  ];
}
