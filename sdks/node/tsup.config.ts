import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/frameworks/{express,fastify,hapi,hono,http,jobs,koa,lambda,nestjs,nextjs}.ts"],
  format: ["esm", "cjs"],
  target: "node18",
  clean: true,
  dts: true,
  // "node:crypto" stays what it is in the source.
  removeNodeProtocol: false,
  // The package has no dependencies: what it takes from protocol becomes part of it.
  noExternal: [/^@whence\/protocol/],
  esbuildOptions(options) {
    options.conditions = ["@whence/source"];
  },
});
