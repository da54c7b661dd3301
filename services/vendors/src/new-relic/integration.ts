import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { newRelicFindings, rowsSchema } from "./rows.ts";

/** https://docs.newrelic.com/docs/apis/nerdgraph/get-started/introduction-new-relic-nerdgraph/ */
const endpoints = { US: "https://api.newrelic.com", EU: "https://api.eu.newrelic.com" } as const;
/** https://docs.newrelic.com/docs/accounts/accounts-billing/account-setup/choose-your-data-center/ */
const applications = { US: "https://one.newrelic.com", EU: "https://one.eu.newrelic.com" } as const;

const inputsSchema = z.object({ user_api_key: z.string(), region: z.enum(["US", "EU"]) });

/** Errors come with status 200, along with any partial data. */
const errorsSchema = z
  .array(z.object({ extensions: z.object({ errorClass: z.string().nullish() }).nullish() }))
  .nullish();

const entitySchema = z.object({ accountId: z.number().nullish(), name: z.string().nullish() });

/** https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-entities-api-tutorial/ */
const accountsSchema = z.object({
  data: z
    .object({
      actor: z.object({
        accounts: z.array(z.object({ id: z.number(), name: z.string().nullish() })).nullish(),
        entitySearch: z
          .object({ results: z.object({ entities: z.array(entitySchema.nullable()).nullish() }).nullish() })
          .nullish(),
      }),
    })
    .nullish(),
  errors: errorsSchema,
});

const resultsSchema = z.object({ results: rowsSchema }).nullish();

/** https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial/ */
const answersSchema = z.object({
  data: z
    .object({
      actor: z.object({
        changes: resultsSchema,
        deployments: resultsSchema,
        errors: resultsSchema,
        transactions: resultsSchema,
        logs: resultsSchema,
      }),
    })
    .nullish(),
  errors: errorsSchema,
});

const vendor = "New Relic";
/** A query over more accounts takes too long, and New Relic limits their number. */
const accountsMax = 5;
const rowsMax = 200;
const slowerThanSeconds = 5;
/** NerdGraph takes whole seconds. Less than a request may take, so that partial results are returned. */
const queryTimeoutSeconds = 4;

/** New Relic: errors, logs, failing and slow transactions, and changes. https://docs.newrelic.com/docs/apis/nerdgraph/ */
export const newRelic: Integration = {
  kind: "metrics-user-key",
  vendor,
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { user_api_key: key, region } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress(endpoints[region], context),
      headers: { "api-key": key },
    });
    return {
      async verify(signal) {
        const [first, ...others] = await accountsOf(http, null, signal);
        const name = first?.name ?? String(first?.id ?? "");
        return others.length === 0 ? name : `${name} and ${others.length} more`;
      },
      async ask(about, signal) {
        const accounts = await accountsOf(http, about.service, signal);
        const asked = { accounts: accounts.slice(0, accountsMax), about, app: applications[region] };
        return await findingsOf(http, asked, signal);
      },
      close: () => http.close(),
    };
  },
};

const accountsField = "accounts { id name }";
const searchField = "entitySearch(query: $search) { results { entities { accountId name } } }";

interface Account {
  readonly id: number;
  readonly name?: string | null | undefined;
}

/** Returns the accounts that the key reads, those with something named after the service first. */
async function accountsOf(http: VendorHttp, service: string | null, signal: AbortSignal): Promise<Account[]> {
  const json =
    service === null
      ? { query: `query { actor { ${accountsField} } }`, variables: {} }
      : {
          query: `query ($search: String) { actor { ${accountsField} ${searchField} } }`,
          variables: { search: `name LIKE ${quoted(service)}` },
        };
  const { body } = await http.json({ method: "POST", path: "/graphql", json, schema: accountsSchema }, signal);
  const accounts = body.data?.actor.accounts ?? [];
  if (accounts.length === 0) throw failureOf(body.errors) ?? nothingToRead();
  const entities = body.data?.actor.entitySearch?.results?.entities ?? [];
  const withService = new Set(entities.map((entity) => entity?.accountId));
  return accounts.toSorted((a, b) => Number(withService.has(b.id)) - Number(withService.has(a.id)));
}

const nothingToRead = (): VendorFailure => new VendorFailure("forbidden", `${vendor} lets this key read no account`);

/**
 * Five queries run at once, which New Relic allows:
 * https://docs.newrelic.com/docs/query-your-data/nrql-new-relic-query-language/get-started/rate-limits-nrql-queries/
 */
async function findingsOf(
  http: VendorHttp,
  { accounts, about, app }: { accounts: readonly Account[]; about: FailureQuestion; app: string },
  signal: AbortSignal,
): Promise<OutsideFinding[]> {
  const queries = queriesAbout(about);
  const names = Object.keys(queries);
  const asked = names.map(
    (name) =>
      `${name}: nrql(accounts: $accounts, options: {}, query: $${name}, timeout: ${queryTimeoutSeconds}) { results }`,
  );
  const query = `query ($accounts: [Int!]!, ${names.map((name) => `$${name}: Nrql!`).join(", ")}) {
    actor { ${asked.join(" ")} }
  }`;
  const json = { query, variables: { accounts: accounts.map(({ id }) => id), ...queries } };
  const { body } = await http.json({ method: "POST", path: "/graphql", json, schema: answersSchema }, signal);
  const answers = body.data?.actor ?? {};
  const failure = failureOf(body.errors);
  if (failure && Object.values(answers).every((answer) => !answer)) throw failure;
  return newRelicFindings(answers, about, app);
}

/** Queries by the name of their result. Attributes: https://docs.newrelic.com/attribute-dictionary/ */
function queriesAbout({ service, host, calledHosts, from, to }: FailureQuestion): Readonly<Record<string, string>> {
  const [since, until] = [Date.parse(from), Date.parse(to)];
  const span = `SINCE ${since} UNTIL ${until} LIMIT ${rowsMax}`;
  const like = quoted(`%${service.toLowerCase()}%`);
  const hosts = [host, ...calledHosts].filter((name) => name !== "").map(quoted);
  const orOn = (attribute: string): string => (hosts.length === 0 ? "" : ` OR ${attribute} IN (${hosts.join(", ")})`);
  const ofService = `(lower(appName) LIKE ${like}${orOn("host")})`;
  const logged = `(lower(entity.name) LIKE ${like} OR lower(service.name) LIKE ${like}${orOn("hostname")})`;
  const levels = ["emergency", "alert", "critical", "fatal", "error", "err", "warning", "warn"].map(quoted).join(", ");
  const trouble = `(error IS TRUE OR duration > ${slowerThanSeconds})`;
  return {
    changes: `SELECT timestamp, category, type, user, shortDescription, description, version, featureFlagId, entity.name, entity.guid FROM ChangeTrackingEvent ${span}`,
    deployments: `SELECT timestamp, version, user, description, changelog, entity.name, entity.guid FROM Deployment ${span}`,
    errors: `SELECT timestamp, error.class, error.message, transactionName, appName, entityGuid FROM TransactionError WHERE ${ofService} ${span}`,
    transactions: `SELECT timestamp, name, appName, duration, error, entityGuid FROM Transaction WHERE ${ofService} AND ${trouble} ${span}`,
    logs: `SELECT timestamp, message, level, entity.name, service.name, hostname, entity.guid FROM Log WHERE ${logged} AND lower(level) IN (${levels}) ${span}`,
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}

function failureOf(errors: z.infer<typeof errorsSchema>): VendorFailure | null {
  const [first] = errors ?? [];
  if (!first) return null;
  const errorClass = first.extensions?.errorClass ?? "unknown";
  if (errorClass === "TOO_MANY_REQUESTS")
    return new VendorFailure("rate-limited", `${vendor} limits the rate of requests`);
  if (errorClass === "TIMEOUT") return new VendorFailure("too-slow", `${vendor} did not answer its queries in time`);
  if (/UNAUTH|FORBIDDEN|ACCESS/.test(errorClass))
    return new VendorFailure("forbidden", `${vendor} doesn't let this key read`);
  return new VendorFailure("unexpected-answer", `${vendor} answered with an error`);
}
