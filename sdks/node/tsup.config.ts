import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

const shared: Options = {
  target: "node18",
  // Half the size. The readable code is in the repository.
  minify: true,
  // "node:crypto" stays what it is in the source.
  removeNodeProtocol: false,
  // The package has no dependencies: what it takes from protocol becomes part of it.
  noExternal: [/^@whence\/protocol/],
  esbuildOptions(options) {
    options.conditions = ["@whence/source"];
  },
};

/** Of the manifest, what is used: all of it would be a fifteenth of what has to be compiled at each start. */
const nameAndVersion: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "name and version of the manifest",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]sdks[\\/]node[\\/]package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ name, version }), loader: "json" };
    });
  },
};

const databases = ["ioredis", "mariadb", "mongodb", "mysql2", "pg", "postgres", "prisma", "sqlite"];
const frameworks = ["express", "fastify", "hapi", "hono", "http", "jobs", "koa", "lambda", "nestjs", "nextjs"];
const ofFrameworks = ["route-failure", "run-job", "serve-request"];
/** NestJS stands on two of the others. */
const loadedByOthers = ["express", "fastify", ...ofFrameworks];
const ofDatabases = ["begin-call", "observe-end", "wrap-method"];
const entries: string[] = [
  ...["src/index.ts", "src/register.ts"],
  ...frameworks.map((name) => `src/frameworks/${name}.ts`),
  ...databases.map((name) => `src/databases/${name}.ts`),
  ...["bunyan", "pino", "winston"].map((name) => `src/loggers/${name}.ts`),
];

export default defineConfig([
  {
    ...shared,
    // What frameworks or databases share is no entry of the package, and has no types of its own.
    entry: [
      ...entries,
      ...ofFrameworks.map((name) => `src/frameworks/${name}.ts`),
      ...ofDatabases.map((name) => `src/databases/${name}.ts`),
    ],
    format: ["esm", "cjs"],
    // The other build writes into the same folder at the same time.
    clean: ["!doctor/**"],
    dts: { entry: entries },
    esbuildPlugins: [
      nameAndVersion,
      {
        // As CommonJS each entry is a bundle of its own: without this, the whole client would be there twice, and what
        // records the failure of a route eight times.
        name: "entries load what they share",
        setup({ initialOptions, onResolve }) {
          const isCommonJs = initialOptions.format === "cjs";
          onResolve({ filter: /^\.\/index\.ts$/ }, () => ({
            path: isCommonJs ? "./index.cjs" : "./index.js",
            external: true,
          }));
          if (!isCommonJs) return;
          onResolve(
            { filter: new RegExp(`^\\./(${[...loadedByOthers, ...ofDatabases].join("|")})\\.ts$`) },
            ({ path }) => ({
              path: path.replace(/ts$/, "cjs"),
              external: true,
            }),
          );
        },
      },
    ],
  },
  // The command: run by Node, never imported.
  {
    ...shared,
    entry: { "doctor/main": "src/doctor/main.ts", "doctor/plant": "src/doctor/plant.ts" },
    format: ["esm"],
    esbuildOptions(options, context) {
      shared.esbuildOptions?.(options, context);
      // Beside the two, where nothing is cleaned away: the same at each build.
      options.chunkNames = "doctor/names";
    },
    esbuildPlugins: [nameAndVersion],
  },
]);
