import { dayMs, type OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { linearRateLimit } from "./rate-limit.ts";
import { searchedTexts } from "./search.ts";

const vendor = "Linear";
/** The stored inputs of the application's authorization. */
const inputsSchema = z.object({ access_token: z.string() });

const organizationQuery = "query Organization { organization { name } }";
const organizationSchema = z.object({ data: z.object({ organization: z.object({ name: z.string() }) }) });

const issuesQuery = `query Issues($filter: IssueFilter, $first: Int, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) {
    nodes { identifier title url createdAt state { name } assignee { displayName } team { name } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const issueSchema = z.object({
  identifier: z.string(),
  title: z.string(),
  url: z.string(),
  createdAt: z.string(),
  state: z.object({ name: z.string() }),
  assignee: z.object({ displayName: z.string() }).nullable(),
  team: z.object({ name: z.string() }),
});
type Issue = z.infer<typeof issueSchema>;

/** https://linear.app/developers/pagination and https://linear.app/developers/filtering */
const issuesSchema = z.object({
  data: z.object({
    issues: z.object({
      nodes: z.array(issueSchema),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
});

const perPage = 50;
/** An issue about the same failure is often older than the failure, so those changed within this time count. */
const changedWithinMs = 30 * dayMs;

/** Linear: issues about the same failure. https://linear.app/developers/graphql */
export const linear: Integration = {
  kind: "issue-tracker",
  vendor,
  checkedAgainst: "Linear's own schema, executed with graphql-js",
  connect(inputs, context) {
    const { access_token: token } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress("https://api.linear.app", context),
      headers: { authorization: `Bearer ${token}` },
      ...linearRateLimit,
    });
    return {
      async verify(signal) {
        const asked = { method: "POST", path: "/graphql", json: { query: organizationQuery } } as const;
        const { body } = await http.json({ ...asked, schema: organizationSchema }, signal);
        return body.data.organization.name;
      },
      async ask(about, signal) {
        const filter = filterOf(about);
        return filter === null ? [] : (await issuesOf(http, filter, signal)).map(recordOf);
      },
      close: () => http.close(),
    };
  },
};

/** Null when the failure has no text that is long enough to search for. */
function filterOf(about: FailureQuestion): object | null {
  const texts = searchedTexts(about);
  if (texts.length === 0) return null;
  const changedAfter = new Date(Date.parse(about.at) - changedWithinMs).toISOString();
  return {
    createdAt: { lte: about.to },
    updatedAt: { gte: changedAfter },
    or: texts.flatMap((text) => [
      { title: { containsIgnoreCase: text } },
      { description: { containsIgnoreCase: text } },
    ]),
  };
}

function issuesOf(http: VendorHttp, filter: object, signal: AbortSignal): Promise<readonly Issue[]> {
  return readPages<Issue, string>(async (after, own) => {
    const json = { query: issuesQuery, variables: { filter, first: perPage, after } };
    const { body } = await http.json({ method: "POST", path: "/graphql", json, schema: issuesSchema }, own);
    const { nodes, pageInfo } = body.data.issues;
    return { items: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  }, signal);
}

function recordOf({ identifier, title, url, createdAt, state, assignee, team }: Issue): OutsideFinding {
  const facts = [state.name, ...(assignee ? [`assigned to ${assignee.displayName}`] : [])].join(", ");
  return {
    kind: "record",
    what: "issue",
    vendor,
    target: team.name,
    at: createdAt,
    url,
    title: `${identifier} ${title} (${facts})`,
  };
}
