import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

const shared: Options = {
  target: "node18",
  // Twice as large without it. Whoever wants to read the code has the repository.
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

export default defineConfig([
  {
    ...shared,
    entry: [
      "src/index.ts",
      "src/register.ts",
      "src/frameworks/{express,fastify,hapi,hono,http,jobs,koa,lambda,nestjs,nextjs}.ts",
      "src/loggers/{bunyan,pino,winston}.ts",
    ],
    format: ["esm", "cjs"],
    // The other build writes into the same folder at the same time.
    clean: ["!doctor/**"],
    dts: true,
    esbuildPlugins: [
      nameAndVersion,
      {
        // As CommonJS each entry is a bundle of its own: without this, the whole client would be there twice.
        name: "register loads the main file",
        setup({ initialOptions, onResolve }) {
          onResolve({ filter: /^\.\/index\.ts$/ }, () => ({
            path: initialOptions.format === "cjs" ? "./index.cjs" : "./index.js",
            external: true,
          }));
        },
      },
    ],
  },
  // The command: run by Node, imported by nobody.
  {
    ...shared,
    entry: { "doctor/main": "src/doctor/main.ts", "doctor/plant": "src/doctor/plant.ts" },
    format: ["esm"],
    splitting: false,
    esbuildPlugins: [nameAndVersion],
  },
]);
