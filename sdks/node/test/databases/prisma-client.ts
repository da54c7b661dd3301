import { createRequire } from "node:module";
import { getPrismaClient } from "@prisma/client/runtime/client";

const require = createRequire(import.meta.url);
const compiler = "@prisma/client/runtime/query_compiler_fast_bg.postgresql";

/** Missing in Node's types. */
const wasmModule = Reflect.get(Reflect.get(globalThis, "WebAssembly"), "Module");

const strings =
  "where User.findUnique User.findUniqueOrThrow orderBy cursor User.findFirst User.findFirstOrThrow User.findMany data User.createOne User.createMany User.createManyAndReturn User.updateOne User.updateMany User.updateManyAndReturn create update User.upsertOne User.deleteOne User.deleteMany having _count _avg _sum _min _max User.groupBy User.aggregate AND OR NOT id name equals in notIn lt lte gt gte contains startsWith endsWith not set increment decrement multiply divide";

const graph = [
  "KwsQBRwAACIAMB0AAAQAEB4AACIAMB8CAAAAASABAAAAAQEAAAABACABAAAAAQAgBRwAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQADAA",
  "AABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACHwIAAAABIAEAAAABAQgAAAkAIAIfAgAAAAEg",
  "AQAAAAEBCAAACwAwAQgAAAsAMAIfAgAqACEgAQArACECAAAAAQAgCAAADgAgAh8CACoAISABACsAIQIAAAAEACAIAAAQACACAAAABAAgCAAAEA",
  "AgAwAAAAEAIA8AAAkAIBAAAA4AIAEAAAABACABAAAABAAgBRUAACUAIBYAACYAIBcAACkAIBgAACgAIBkAACcAIAUcAAAaADAdAAAXABAeAAAa",
  "ADAfAgAbACEgAQAcACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAUcAAAaADAdAAAXABAeAAAaADAfAgAbACEgAQAcAC",
  "ENFQAAHgAgFgAAIQAgFwAAHgAgGAAAHgAgGQAAHgAgIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAIAAhDhUA",
  "AB4AIBgAAB8AIBkAAB8AICEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB0AIQ",
  "4VAAAeACAYAAAfACAZAAAfACAhAQAAAAEiAQAAAAQjAQAAAAQkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAAAAErAQAd",
  "ACEIIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAHgAhCyEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAAS",
  "YBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB8AIQ0VAAAeACAWAAAhACAXAAAeACAYAAAeACAZAAAeACAhAgAAAAEiAgAAAAQjAgAA",
  "AAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAgACEIIQgAAAABIggAAAAEIwgAAAAEJAgAAAABJQgAAAABJggAAAABJwgAAAABKwgAIQAhBR",
  "wAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQghAgAAAAEiAgAAAAQjAgAAAAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAeACELIQEA",
  "AAABIgEAAAAEIwEAAAAEJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAAAABKwEAHwAhAAAAAAAFLAIAAAABLQIAAAABLg",
  "IAAAABLwIAAAABMAIAAAABASwBAAAAAQAAAAAFFQAGFgAHFwAIGAAJGQAKAAAAAAAFFQAGFgAHFwAIGAAJGQAKAQIBAgMBBQYBBgcBBwgBCQoB",
  "CgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkL",
].join("");

const schema = `
generator client {
  provider = "prisma-client-js"
}
datasource db {
  provider = "postgresql"
}
model User {
  id   Int    @id
  name String @unique
}
`;

/**
 * The class that `prisma generate` creates from this schema; its command line would download an engine that isn't
 * needed.
 */
export const PrismaClient: { readonly prototype: object } = getPrismaClient({
  previewFeatures: [],
  clientVersion: "7.10.0",
  engineVersion: "d1b3f377ca835d73fd50954a5e22128b9ebdd6b8",
  activeProvider: "postgresql",
  inlineSchema: schema,
  runtimeDataModel: {
    models: {
      User: {
        fields: [
          { name: "id", kind: "scalar", type: "Int" },
          { name: "name", kind: "scalar", type: "String" },
        ],
        dbName: null,
        schema: null,
      },
    },
    enums: {},
    types: {},
  },
  parameterizationSchema: { strings: strings.split(" "), graph },
  compilerWasm: {
    getRuntime: async () => require(`${compiler}.js`),
    getQueryCompilerWasmModule: async () =>
      Reflect.construct(wasmModule, [Buffer.from(require(`${compiler}.wasm-base64.js`).wasm, "base64")]),
    importName: "./query_compiler_fast_bg.js",
  },
} as never);

/** A model's method as used here; the generated types are more precise. */
type Ask = (query?: object) => Promise<unknown>;

/** The part of a client that the tests use. */
export interface Client {
  readonly user: Readonly<Record<"count" | "create" | "deleteMany" | "findFirst" | "findMany" | "update", Ask>>;
  $disconnect(): Promise<void>;
  $executeRawUnsafe(statement: string): Promise<number>;
  $extends(extension: {
    query: { $allOperations(call: { args: unknown; query(args: unknown): unknown }): unknown };
  }): Client;
  $queryRaw(strings: TemplateStringsArray, ...values: unknown[]): Promise<unknown>;
  $transaction(calls: Promise<unknown>[] | ((own: Client) => Promise<unknown>)): Promise<unknown>;
}

/** Opens a client with an adapter. */
export function openPrisma(adapter: object): Client {
  return Reflect.construct(Object(PrismaClient), [{ adapter }]);
}
