import type { DefaultTheme } from "vitepress";

/** The reference of the HTTP API is a page of the service, not of this site: the browser loads it. */
export const apiReference: DefaultTheme.SidebarItem & { readonly text: string; readonly link: string } = {
  text: "HTTP API explorer",
  link: "/api",
  target: "_self",
};

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

/** Every page of the site, in the order of a reader who starts with nothing. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      page("What Whence does", "/"),
      page("Run the service", "/self-hosting"),
      page("Show it your source code", "/sources"),
    ],
  },
  {
    text: "Use",
    items: [
      page("Incidents", "/incidents"),
      page("Notifications", "/notifications"),
      page("Accuracy", "/accuracy"),
      page("Command line and agents", "/agents"),
      page("MCP", "/mcp"),
    ],
  },
  {
    text: "Operate",
    items: [
      page("Operations", "/operations"),
      page("Scaling", "/scaling"),
      page("Security", "/security"),
      page("Report a vulnerability", "/vulnerabilities"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("HTTP API", "/http-api"),
      apiReference,
      page("Wire format", "/wire-format"),
      page("Errors", "/errors"),
      page("Limits", "/limits"),
      page("Formats", "/formats"),
      page("Signatures", "/signatures"),
    ],
  },
  {
    text: "SDK",
    collapsed: true,
    items: [
      page("Node.js client", "/sdk/node"),
      page("Start without code", "/sdk/register"),
      page("Moving from Sentry", "/sdk/from-sentry"),
      page("Other runtimes", "/sdk/runtimes"),
      page("Releases", "/sdk/release"),
      page("Express", "/sdk/express"),
      page("Fastify", "/sdk/fastify"),
      page("Koa", "/sdk/koa"),
      page("Hapi", "/sdk/hapi"),
      page("Hono", "/sdk/hono"),
      page("NestJS", "/sdk/nestjs"),
      page("Next.js", "/sdk/nextjs"),
      page("node:http", "/sdk/http"),
      page("GraphQL", "/sdk/graphql"),
      page("AWS Lambda", "/sdk/lambda"),
      page("Jobs and queues", "/sdk/jobs"),
      page("Logging", "/sdk/logging"),
      page("Outgoing requests", "/sdk/outgoing-requests"),
      page("Users, tags and contexts", "/sdk/facts"),
      page("Reporting less", "/sdk/noise"),
      page("Database calls", "/sdk/databases"),
      page("Redaction", "/sdk/redaction"),
      page("Delivery", "/sdk/delivery"),
      page("Spool", "/sdk/spool"),
      page("Doctor", "/sdk/doctor"),
      page("What it costs", "/sdk/cost"),
      page("Process equivalence", "/sdk/process-equivalence"),
      page("Agent client", "/sdk/agent"),
      page("MCP server", "/sdk/mcp"),
    ],
  },
  {
    text: "Inside",
    collapsed: true,
    items: [
      page("Architecture", "/architecture"),
      page("How it reasons", "/how-it-reasons"),
      page("Fault-injection suite", "/faults"),
      page("Web application", "/web"),
      page("Contributing", "/contributing"),
    ],
  },
  {
    text: "Decisions",
    collapsed: true,
    items: [
      page("1. Three ports, two profiles", "/decisions/0001-three-ports-two-profiles"),
      page("2. Claims and scopes", "/decisions/0002-claims-and-scopes"),
      page("3. Failures of every environment", "/decisions/0003-failures-of-every-environment"),
      page("4. better-auth for identity", "/decisions/0004-better-auth-for-identity"),
      page("5. Fingerprints", "/decisions/0005-fingerprints"),
      page("6. Trace the code, then rank", "/decisions/0006-trace-then-rank"),
      page("7. Language front ends", "/decisions/0007-language-front-ends"),
      page("8. Confidence", "/decisions/0008-confidence"),
      page("9. No language model", "/decisions/0009-no-language-model"),
    ],
  },
];
