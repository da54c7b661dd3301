import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { byAnyone } from "../http/access.ts";
import { answerUnknownRoute } from "../http/error-handler.ts";
import type { BundledFile, WebBundle } from "./bundle.ts";
import { answerNotBuilt } from "./not-built.ts";
import { pageHeaders, sendAsset, sendContent, sendFile } from "./send-file.ts";

const statusNotFound = 404;
const statusPermanentRedirect = 308;

/**
 * Serves the documentation site below `/docs/`, built from this version of the service, so it works without internet
 * access.
 */
export function documentationRoutes(app: FastifyInstance, latestSite: () => WebBundle | null): void {
  let opened: { readonly site: WebBundle; readonly scripts: readonly string[] } | undefined;
  app.get("/docs", byAnyone, async (_request, reply) => reply.redirect("/docs/", statusPermanentRedirect));
  app.get<{ Params: { "*": string } }>("/docs/*", byAnyone, async (request, reply) => {
    const site = latestSite();
    if (site === null) return answerNotBuilt(request, reply, "WHENCE_ERR_DOCS_NOT_BUILT");
    const path = `/${request.params["*"]}`;
    const file = fileAt(site, path);
    const absent = site.get("/404.html");
    const isAsset = path.startsWith("/assets/");
    if (!file && (!absent || isAsset)) return answerUnknownRoute(request, reply);
    if (opened?.site !== site) opened = { site, scripts: await inlineScripts(site) };
    reply.headers(pageHeaders(opened.scripts));
    if (isAsset) return sendAsset(request, reply, file);
    reply.header("cache-control", "no-cache");
    if (file) return sendFile(request, reply, file);
    return absent && sendContent(request, reply.code(statusNotFound), absent);
  });
}

/** Page URLs have no extension: `/sdk/node` is in `/sdk/node.html`. */
function fileAt(site: WebBundle, path: string): BundledFile | undefined {
  return site.get(path) ?? site.get(path.endsWith("/") ? `${path}index.html` : `${path}.html`);
}

/**
 * Returns the hashes of the scripts inside a page, which set the color scheme before anything is drawn; they are the
 * same in each page.
 */
async function inlineScripts(site: WebBundle): Promise<string[]> {
  const page = await site.get("/index.html")?.read();
  const scripts = page?.toString().matchAll(/<script[^>]*>([^<]+)<\/script>/g) ?? [];
  return Array.from(scripts, ([, text = ""]) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
}
