import { type OutsideFinding, secondMs } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { untilReset } from "../http/rate-limit-reset.ts";
import { readPages } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp, type VendorRequest } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { buildLog, runtimeLog } from "./logs.ts";

const vendor = "Vercel";
/** For an installed integration, its team comes with the token. */
const inputsSchema = z.object({ api_token: z.string(), team_id: z.string().optional() });

/** https://vercel.com/docs/rest-api/user/get-the-user */
const userSchema = z.object({ user: z.object({ username: z.string() }) });

/** https://vercel.com/docs/rest-api/teams/list-all-teams; a `limited` team isn't readable with this token. */
const teamsSchema = z.object({ teams: z.array(z.object({ id: z.string(), limited: z.boolean().optional() })) });

const deploymentSchema = z.object({
  uid: z.string(),
  name: z.string(),
  projectId: z.string().optional(),
  url: z.string().nullish(),
  created: z.number(),
  ready: z.number().optional(),
  state: z.string().optional(),
  readyState: z.string().optional(),
  target: z.string().nullish(),
  errorMessage: z.string().nullish(),
  inspectorUrl: z.string().nullish(),
  creator: z.object({ username: z.string().optional() }).nullish(),
  meta: z.record(z.string(), z.unknown()).optional(),
});

/** https://vercel.com/docs/rest-api/deployments/list-deployments */
const deploymentsSchema = z.object({
  deployments: z.array(deploymentSchema),
  pagination: z.object({ next: z.number().nullable() }),
});

type Deployment = z.infer<typeof deploymentSchema>;
type DeploymentsPage = z.infer<typeof deploymentsSchema>;

/** Maximum teams that are queried. */
const teamsMax = 5;
const perPage = 100;
/** Deployments among which the one that served the failing request is searched. */
const readyMax = 20;

/** Vercel: deployments, build logs, and runtime logs. https://vercel.com/docs/rest-api */
export const vercel: Integration = {
  kind: "hosting",
  vendor,
  checkedAgainst:
    "emulate, a server by Vercel Labs; runtime logs against a double of our own, from the documented answers",
  connect(inputs, context) {
    const { api_token: token, team_id: installedIn } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress("https://api.vercel.com", context),
      headers: { authorization: `Bearer ${token}` },
      retryAfterMs: untilReset("x-ratelimit-reset", secondMs),
    });
    return {
      async verify(signal) {
        const { body } = await http.json({ path: "/v2/user", schema: userSchema }, signal);
        return body.user.username;
      },
      async ask(about, signal) {
        const teams = installedIn === undefined ? await teamsOf(http, signal) : [installedIn];
        const found = await answeredParts(
          teams.map((teamId) => askTeam(http, { teamId, about }, signal)),
          about,
        );
        return found.flat();
      },
      close: () => http.close(),
    };
  },
};

/** Undefined means the token's own scope, its project or user, when it can list no team. */
async function teamsOf(http: VendorHttp, signal: AbortSignal): Promise<readonly (string | undefined)[]> {
  try {
    const { body } = await http.json({ path: "/v2/teams", query: { limit: teamsMax }, schema: teamsSchema }, signal);
    const readable = body.teams.filter(({ limited }) => limited !== true).map(({ id }) => id);
    return readable.length > 0 ? readable.slice(0, teamsMax) : [undefined];
  } catch (error) {
    if (error instanceof VendorFailure && error.reason === "forbidden") return [undefined];
    throw error;
  }
}

interface Asked {
  readonly teamId: string | undefined;
  readonly about: FailureQuestion;
}

async function askTeam(http: VendorHttp, asked: Asked, signal: AbortSignal): Promise<readonly OutsideFinding[]> {
  const [deployments, serving] = await Promise.all([
    deploymentsOf(http, asked, signal),
    servingDeployment(http, asked, signal),
  ]);
  const { about, teamId } = asked;
  const ordered = deployments.toSorted((a, b) => rank(a, about) - rank(b, about) || b.created - a.created);
  const broken = ordered.find((deployment) => stateOf(deployment) === "ERROR");
  const parts = await answeredParts(
    [
      Promise.resolve(ordered.map(changeOf)),
      broken
        ? buildLog(http, { id: broken.uid, project: broken.name, teamId, page: broken.inspectorUrl ?? null }, signal)
        : Promise.resolve([]),
      serving?.projectId
        ? runtimeLog(
            http,
            {
              id: serving.uid,
              project: serving.name,
              projectId: serving.projectId,
              teamId,
              about,
              page: serving.inspectorUrl ?? null,
            },
            signal,
          )
        : Promise.resolve([]),
    ],
    about,
  );
  return parts.flat();
}

async function deploymentsOf(
  http: VendorHttp,
  { teamId, about }: Asked,
  signal: AbortSignal,
): Promise<readonly Deployment[]> {
  const [since, to] = [Date.parse(about.from), Date.parse(about.to)];
  const listed = await readPages<Deployment, number>(async (next, own) => {
    const { deployments, pagination } = await pageOf(http, { teamId, since, until: next ?? to, limit: perPage }, own);
    return { items: deployments, next: pagination.next };
  }, signal);
  // The last item of a page can be the first of the next one: both were created at the time that separates the pages.
  const found = new Map(listed.map((deployment) => [deployment.uid, deployment]));
  return [...found.values()].filter(({ created }) => created >= since && created <= to);
}

/**
 * Returns the failing service's newest deployment that was ready at the time of the failure, in production if it has
 * any.
 */
async function servingDeployment(
  http: VendorHttp,
  { teamId, about }: Asked,
  signal: AbortSignal,
): Promise<Deployment | null> {
  const query = { teamId, app: about.service, state: "READY", until: Date.parse(about.at), limit: readyMax };
  const { deployments } = await pageOf(http, query, signal);
  return deployments.find(({ target }) => target === "production") ?? deployments[0] ?? null;
}

async function pageOf(
  http: VendorHttp,
  query: VendorRequest<DeploymentsPage>["query"] & object,
  signal: AbortSignal,
): Promise<DeploymentsPage> {
  const { body } = await http.json({ path: "/v7/deployments", query, schema: deploymentsSchema }, signal);
  return body;
}

/** Puts the failing service's deployments first, then those to production. */
function rank({ name, target }: Deployment, { service }: FailureQuestion): number {
  return (name === service ? 0 : 2) + (target === "production" ? 0 : 1);
}

function stateOf({ state, readyState }: Deployment): string | undefined {
  return readyState ?? state;
}

function changeOf(deployment: Deployment): OutsideFinding {
  const { name, url, created, ready, errorMessage, inspectorUrl, creator, meta = {} } = deployment;
  const state = stateOf(deployment);
  const commit = commitOf(meta);
  const words = [commit?.title, errorMessage, state === "READY" ? null : state?.toLowerCase()];
  return {
    kind: "change-event",
    what: "deployment",
    vendor,
    target: name,
    title: words.filter((word) => word).join(", ") || (url ?? name),
    at: new Date(ready ?? created).toISOString(),
    by: commit?.author ?? creator?.username ?? null,
    failed: state === "ERROR" ? true : state === "READY" ? false : null,
    url: inspectorUrl ?? (url ? `https://${url}` : null),
  };
}

/** Returns what Vercel stores about the commit, by the host of its repository: `githubCommitSha`, `gitlabCommitSha`. */
function commitOf(meta: Readonly<Record<string, unknown>>): { title: string; author: string | null } | null {
  const text = (name: string): string | null => {
    const value = ["github", "gitlab", "bitbucket"].map((host) => meta[`${host}Commit${name}`]).find(Boolean);
    return typeof value === "string" ? value : null;
  };
  const sha = text("Sha");
  if (sha === null) return null;
  const ref = text("Ref");
  const [subject = ""] = (text("Message") ?? "").split("\n");
  const place = `${sha.slice(0, shaLength)}${ref === null ? "" : ` on ${ref}`}`;
  const title = subject === "" ? place : `${subject} (${place})`;
  return { title, author: text("AuthorName") ?? text("AuthorLogin") };
}

/** As code hosts abbreviate it on their pages. */
const shaLength = 7;
