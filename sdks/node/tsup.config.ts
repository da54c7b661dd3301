import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/register.ts",
    "src/frameworks/{express,fastify,hapi,hono,http,jobs,koa,lambda,nestjs,nextjs}.ts",
    "src/loggers/{bunyan,pino,winston}.ts",
  ],
  format: ["esm", "cjs"],
  target: "node18",
  clean: true,
  dts: true,
  // "node:crypto" stays what it is in the source.
  removeNodeProtocol: false,
  // The package has no dependencies: what it takes from protocol becomes part of it.
  noExternal: [/^@whence\/protocol/],
  esbuildPlugins: [
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
  esbuildOptions(options) {
    options.conditions = ["@whence/source"];
    // A third of the package. Names stay, so that a stack through it can be read.
    options.minifyWhitespace = true;
  },
});
