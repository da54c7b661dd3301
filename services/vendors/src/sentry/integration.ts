import { secondMs } from "@whence/protocol";
import { z } from "zod";
import { enteredAddress, vendorAddress } from "../http/addresses.ts";
import { untilReset } from "../http/rate-limit-reset.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { issueFindings } from "./issue.ts";

const vendor = "Sentry";
const inputsSchema = z.object({
  bearer_token: z.string(),
  organization_slug: z.string(),
  instance_url: z.string().optional(),
});

/** https://docs.sentry.io/api/organizations/retrieve-an-organization/ */
const organizationSchema = z.object({ name: z.string(), links: z.object({ regionUrl: z.string() }).optional() });

/** https://docs.sentry.io/api/events/list-an-organizations-issues/ */
const issuesSchema = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    project: z.object({ slug: z.string() }),
    metadata: z.object({ value: z.string().optional() }).optional(),
  }),
);
type Issue = z.infer<typeof issuesSchema>[number];

const perPage = 100;
/** Maximum types from the chain of errors that are searched for. */
const typesMax = 3;
/** Maximum issues that are read in full. */
const issuesMax = 3;
const documentedUrl = "https://sentry.io";
const apiPath = "/api/0";

/**
 * Sentry: the issue of the same error, its first release, and what most of its events share.
 * https://docs.sentry.io/api/
 */
export const sentry: Integration = {
  kind: "error-tracker",
  vendor,
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { bearer_token: token, organization_slug: slug, instance_url: own } = inputsSchema.parse(inputs);
    const openDocumented = (url: string): VendorHttp =>
      openAt(vendorAddress(new URL(apiPath, url).href, context), token, context);
    const path = `/organizations/${encodeURIComponent(slug)}`;
    const central =
      own === undefined ? openDocumented(documentedUrl) : openAt(new URL(apiPath, enteredAddress(own)), token, context);
    const opened: VendorHttp[] = [central];
    return {
      async verify(signal) {
        const { body } = await central.json({ path: `${path}/`, schema: organizationSchema }, signal);
        return body.name;
      },
      async ask(about, signal) {
        const { body } = await central.json({ path: `${path}/`, schema: organizationSchema }, signal);
        const region = body.links?.regionUrl ?? documentedUrl;
        // A self-hosted installation is its own region, and its token goes nowhere else.
        const http = own === undefined && isOfSentry(region) ? openDocumented(region) : central;
        opened.push(http);
        const issues = sameError(await issuesOf(http, { path, about }, signal), about).slice(0, issuesMax);
        const found = await answeredParts(
          issues.map(({ id }) => issueFindings(http, { path, id, about }, signal)),
          about,
        );
        return found.flat();
      },
      async close() {
        await Promise.all(opened.map((http) => http.close()));
      },
    };
  },
};

function openAt(baseUrl: URL, token: string, context: OutboundContext): VendorHttp {
  return openVendorHttp({
    ...context,
    vendor,
    baseUrl,
    headers: { authorization: `Bearer ${token}` },
    retryAfterMs: untilReset("x-sentry-rate-limit-reset", secondMs),
  });
}

/** Returns whether a region's URL may get the token. */
function isOfSentry(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "https:" && (url.hostname === "sentry.io" || url.hostname.endsWith(".sentry.io"));
}

interface Asked {
  readonly path: string;
  readonly about: FailureQuestion;
}

/**
 * Returns issues in the span with an error of one of the chain's types. Messages aren't sent, because they may contain
 * anything.
 */
async function issuesOf(http: VendorHttp, { path, about }: Asked, signal: AbortSignal): Promise<readonly Issue[]> {
  const types = [...new Set(about.errors.map(({ type }) => type))].slice(0, typesMax);
  const found = await Promise.all(types.map((type) => issuesOfType(http, { path, about, type }, signal)));
  return [...new Map(found.flat().map((issue) => [issue.id, issue])).values()];
}

function issuesOfType(
  http: VendorHttp,
  { path, about, type }: Asked & { type: string },
  signal: AbortSignal,
): Promise<readonly Issue[]> {
  const query = `error.type:"${type.replaceAll(/["\\*]/g, "")}"`;
  const asked = { query, project: "-1", start: about.from, end: about.to, sort: "freq", limit: perPage };
  return readPages<Issue, string>(async (next, own) => {
    const page = { ...asked, cursor: next ?? undefined };
    const { body, headers } = await http.json({ path: `${path}/issues/`, query: page, schema: issuesSchema }, own);
    return { items: body, next: nextCursor(headers.link) };
  }, signal);
}

/** https://docs.sentry.io/api/pagination/ */
function nextCursor(link: string | undefined): string | null {
  const next = link?.split(",").find((part) => part.includes('rel="next"') && part.includes('results="true"'));
  return /cursor="([^"]+)"/.exec(next ?? "")?.[1] ?? null;
}

/** Returns issues with the same message, ignoring numbers, or else those of the project named after the service. */
function sameError(issues: readonly Issue[], { errors, service }: FailureQuestion): readonly Issue[] {
  const messages = errors.map(({ message }) => withoutNumbers(message)).filter((message) => message !== "");
  const ofService = ({ project }: Issue): boolean => project.slug === service;
  const same = issues.filter(({ metadata, title }) => {
    const text = withoutNumbers(metadata?.value ?? title);
    return messages.some((message) => text !== "" && (message.startsWith(text) || text.includes(message)));
  });
  const ordered = [...same.filter(ofService), ...same.filter((issue) => !ofService(issue))];
  return ordered.length > 0 ? ordered : issues.filter(ofService);
}

/** Sentry truncates long values, with dots at the end. */
function withoutNumbers(text: string): string {
  const [first = ""] = text.split("\n");
  return first
    .replace(/(?:\.\.\.|…)$/, "")
    .replaceAll(/\d+/g, "0")
    .trim();
}
