import { getOrder, type MatrixProgram } from "../matrix-program.ts";

export const next: MatrixProgram = {
  name: "next-16",
  title: "Next.js, a route handler, built",
  packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
  files: {
    "next.config.mjs": `
import { join } from "node:path";
const root = join(import.meta.dirname, "../../..");
export default {
  turbopack: { root },
  outputFileTracingRoot: root,
  experimental: { serverSourceMaps: true },
  serverExternalPackages: ["@whence/node"], // coded
};
`,
    "instrumentation.js": `
import { whenceRequests } from "@whence/node/nextjs"; // coded
export { whenceRequestError as onRequestError } from "@whence/node/nextjs"; // coded

export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return; // coded
  const { init } = await import("@whence/node"); // coded
  init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
  whenceRequests(); // coded
}
`,
    "app/layout.js": `
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    "app/page.js": "export default function Page() { return <p>orders</p>; }",
    "app/orders/[id]/route.js": `
import { takeFromStock } from "../../../stock.cjs";

export async function GET(_request, { params }) {
  const { id } = await params;
  return Response.json(await takeFromStock(id));
}
`,
  },
  prepare: ["node_modules/next/dist/bin/next", "build"],
  start: ["node_modules/next/dist/bin/next", "start", "--port", "PORT"],
  trigger: getOrder("/orders/[id]"),
  notes: {
    error: "Add [`instrumentation.ts`](nextjs.md).",
    route: "Add [`instrumentation.ts`](nextjs.md).",
    breadcrumbs: "Those of requests that arrive while the server starts are [the process's](nextjs.md).",
    frames: "Frames are those of the built code.",
  },
  isHeavy: true,
};
