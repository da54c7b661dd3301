import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

const shared: Options = {
  target: "node18",
  // Half the size. The readable code is in the repository.
  minify: true,
  // Keeps "node:crypto" as it is in the source.
  removeNodeProtocol: false,
  // The package has no dependencies: the protocol's code is bundled.
  noExternal: [/^@whence\/protocol/],
  esbuildOptions(options) {
    options.conditions = ["@whence/source"];
  },
};

/**
 * Includes only the used part of the manifest, which would otherwise be a fifteenth of the code compiled at each start.
 */
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
/** NestJS is based on two of the others. */
const loadedByOthers = ["express", "fastify", ...ofFrameworks];
const ofDatabases = ["begin-call", "observe-end", "wrap-method"];
const entries: string[] = [
  "src/index.ts",
  "src/register.ts",
  ...frameworks.map((name) => `src/frameworks/${name}.ts`),
  ...databases.map((name) => `src/databases/${name}.ts`),
  ...["bunyan", "pino", "winston"].map((name) => `src/loggers/${name}.ts`),
];

export default defineConfig([
  {
    ...shared,
    // Code shared by frameworks or databases isn't an entry, and has no types of its own.
    entry: [
      ...entries,
      ...ofFrameworks.map((name) => `src/frameworks/${name}.ts`),
      ...ofDatabases.map((name) => `src/databases/${name}.ts`),
    ],
    format: ["esm", "cjs"],
    // The other builds write to the same folder at the same time.
    clean: ["!doctor/**", "!watch/**"],
    dts: { entry: entries },
    esbuildPlugins: [
      nameAndVersion,
      {
        // Each CommonJS entry is a separate bundle: otherwise, the whole client would be there twice, and the code for
        // route failures eight times.
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
  // Loaded with the first order to watch places, whichever of the others runs.
  {
    ...shared,
    entry: { "watch/order-follower": "src/watch/order-follower.ts" },
    format: ["cjs"],
  },
  // The command, which Node runs and nothing imports.
  {
    ...shared,
    entry: { "doctor/main": "src/doctor/main.ts", "doctor/plant": "src/doctor/plant.ts" },
    format: ["esm"],
    esbuildOptions(options, context) {
      shared.esbuildOptions?.(options, context);
      // Next to the two, where nothing is deleted; the same in each build.
      options.chunkNames = "doctor/names";
    },
    esbuildPlugins: [nameAndVersion],
  },
]);
