import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { byAnyone } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { ApiComponents } from "./openapi-components.ts";
import { describedRoute } from "./openapi-route.ts";
import { keyHeader, securitySchemes } from "./openapi-security.ts";
import { telemetryPaths } from "./openapi-telemetry.ts";

const documentVersion = { openapi: "3.1.0", version: "1.0.0" } as const;

/** The documented operations; everything else is for the application and the clients. */
const publicPaths: ReadonlySet<string> = new Set([
  "/api/mcp/analyze",
  "/api/agents/register",
  "/api/agents/claim",
  "/api/agents/status",
]);

const pathsSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      security: z.array(z.record(z.string(), z.array(z.string()))),
      parameters: z.array(z.unknown()).optional(),
    }),
  ),
);
type Paths = z.infer<typeof pathsSchema>;

/**
 * Serves `/openapi.json` with the four documented operations, and `/openapi.application.json` with the others. Both are
 * generated from the schemas of the routes added to `app` afterwards.
 */
export async function openapiRoutes(app: FastifyInstance, { appUrl }: Pick<HttpContext, "appUrl">): Promise<void> {
  // Schemas only describe; handlers validate, because access is checked first and errors have the service's own form.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const components = new ApiComponents();
  await app.register(swagger, {
    openapi: { openapi: documentVersion.openapi, components: { securitySchemes: securitySchemes(appUrl) } },
    stripBasePath: false,
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({ url, schema: describedRoute(schema, route, components) }),
  });

  let paths: Paths | undefined;
  const documentOf = (title: string, isIncluded: (path: string) => boolean): object => {
    paths ??= withKeyHeader(pathsSchema.parse({ ...telemetryPaths(components), ...app.swagger().paths }));
    const included = Object.fromEntries(Object.entries(paths).filter(([path]) => isIncluded(path)));
    return {
      openapi: documentVersion.openapi,
      info: { title, version: documentVersion.version, license: { name: "Apache 2.0", identifier: "Apache-2.0" } },
      servers: [{ url: appUrl, description: "This service" }],
      paths: included,
      components: { schemas: components.usedIn(included), securitySchemes: securitySchemes(appUrl) },
    };
  };
  const isPublic = (path: string): boolean => publicPaths.has(path);
  serveOnceMade(app, "/openapi.json", () => documentOf("Whence", isPublic));
  serveOnceMade(app, "/openapi.application.json", () =>
    documentOf("Whence application API", (path) => !isPublic(path)),
  );
}

/** The routes are complete once the app is ready, so a document is generated on its first request. */
function serveOnceMade(app: FastifyInstance, path: string, make: () => object): void {
  let document: object | undefined;
  app.get(path, byAnyone, async () => {
    document ??= make();
    return document;
  });
}

/**
 * Restores a parameter that the generator leaves out because a security scheme has the same name. The specification
 * wants both.
 */
function withKeyHeader(paths: Paths): Paths {
  for (const operation of Object.values(paths).flatMap(Object.values<Paths[string][string]>)) {
    const isKeyAccepted = operation.security.some((scheme) => "key" in scheme);
    if (!isKeyAccepted) continue;
    const parameter = { ...keyHeader, in: "header", required: operation.security.length === 1 };
    operation.parameters = [parameter, ...(operation.parameters ?? [])];
  }
  return paths;
}
