import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";

/** Where `pnpm dev` has the service listen: the development server asks it for what is not the application's own. */
const service = "http://127.0.0.1:4000";

const config: UserConfig = defineConfig({
  plugins: [react({ jsxImportSource: "@whence/web" })],
  resolve: { conditions: ["@whence/source", "module", "browser", "development|production"] },
  build: {
    target: "es2023",
    // Inlined files would be `data:` URLs, which the page's policy allows to images alone.
    assetsInlineLimit: 0,
    // A polyfill that is an inline script in older bundles; every browser of the target knows modulepreload.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The renderer of the HTTP API's page comes as one file.
    chunkSizeWarningLimit: 1_600,
    // One chunk that every chunk with schemas imports: they are made once zod knows that it may not compile code.
    rolldownOptions: {
      // The application, and the page of the HTTP API at `/docs/api`.
      input: ["index.html", "api-reference.html"],
      // The pages read no diffs; without this the library's tables stay in the bundle.
      treeshake: { moduleSideEffects: [{ test: /\/node_modules\/diff\//, sideEffects: false }] },
      output: { codeSplitting: { groups: [{ name: "schemas", test: /zod-without-eval|\/zod\// }] } },
    },
  },
  server: {
    host: "127.0.0.1",
    port: 4010,
    strictPort: true,
    // The page stays of the development server's host and port, so that its requests look like its own there too.
    proxy: {
      "^/docs/api(\\?|$)": { target: service, bypass: () => "/api-reference.html" },
      "^/(api/|openapi\\.|docs(/|$))": { target: service, changeOrigin: false },
    },
  },
});

export default config;
