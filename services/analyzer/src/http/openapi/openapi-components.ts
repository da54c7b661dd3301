import * as protocol from "@whence/protocol";
import { z } from "zod";

const referencePrefix = "#/components/schemas/";

/** Names that the specification sets, and names that differ from the protocol's export. */
const givenNames = {
  AnalyzeMCPIncidentRequest: protocol.analyzeRequestSchema,
  AnalyzeMCPIncidentResponse: protocol.analyzeResponseSchema,
  RegisterAgentRequest: protocol.registerRequestSchema,
  RegisterAgentResponse: protocol.registerResponseSchema,
  ClaimAgentRequest: protocol.claimRequestSchema,
  ClaimAgentResponse: protocol.claimResponseSchema,
  HTTPValidationError: protocol.httpValidationErrorSchema,
  Error: protocol.errorBodySchema,
  TelemetryBatch: protocol.batchSchema,
} as const satisfies Record<string, z.ZodType>;

export interface Reference {
  readonly $ref: string;
}

/** The named schemas of the documents: the protocol's under their exported names, and those of single routes. */
export class ApiComponents {
  readonly #registry = z.registry<{ id: string }>();
  #made: Readonly<Record<string, unknown>> | undefined;

  constructor() {
    for (const [name, schema] of Object.entries<unknown>(protocol)) {
      if (schema instanceof z.ZodObject) this.#registry.add(schema, { id: nameOf(name) });
    }
    for (const [id, schema] of Object.entries(givenNames)) this.#registry.add(schema, { id });
  }

  /** A reference to the schema. A schema without a name gets `name`. */
  reference(schema: z.ZodType, name: string): Reference {
    if (!this.#registry.has(schema)) this.#registry.add(schema, { id: name });
    return { $ref: `${referencePrefix}${this.#registry.get(schema)?.id}` };
  }

  /** The schemas that part of a document refers to, directly or indirectly, as JSON Schema 2020-12. */
  usedIn(part: unknown): Readonly<Record<string, unknown>> {
    this.#made ??= this.#make();
    const used: Record<string, unknown> = {};
    const waiting = referencesIn(part);
    for (const name of waiting) {
      if (name in used) continue;
      used[name] = this.#made[name];
      waiting.push(...referencesIn(used[name]));
    }
    return used;
  }

  #make(): Readonly<Record<string, unknown>> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      io: "input",
      unrepresentable: "any",
      uri: (id) => `${referencePrefix}${id}`,
    });
    return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
  }
}

function referencesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** `agentStatusSchema` is `AgentStatus`. */
function nameOf(exported: string): string {
  return exported.charAt(0).toUpperCase() + exported.slice(1).replace(/Schema$/, "");
}
