import { commitIdSchema, limits, monitoredEnv } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { AnnouncedAlert, Announcement } from "../alert-senders/announcement.ts";
import { idInBody } from "../alert-senders/delivery-id.ts";
import { shownSecret } from "../alert-senders/inputs.ts";
import { hasSignedBody } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { identifier, optionalText, scalar } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";

/** The latest time of a `Date`. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const millisecondsMax = 8_640_000_000_000_000;
const createdAt = z
  .union([z.iso.datetime({ offset: true }), z.number().min(0).max(millisecondsMax)])
  .transform((at) => new Date(at).toISOString());

/** https://vercel.com/docs/webhooks/webhooks-api#payload */
const eventSchema = z.object({ id: identifier, type: z.string(), createdAt, payload: z.unknown() });

/** https://vercel.com/docs/webhooks/webhooks-api#deployment.error; the others are the same except for `target`. */
const deploymentSchema = z.object({
  deployment: z.object({
    id: identifier,
    name: z.string(),
    url: optionalText,
    meta: z.record(z.string(), scalar).nullish(),
  }),
  links: z.object({ deployment: optionalText }).nullish(),
  target: optionalText,
});
type Deployment = z.infer<typeof deploymentSchema>;

/** https://vercel.com/docs/webhooks/webhooks-api#deployment.rollback */
const rollbackSchema = z.object({ toDeploymentId: identifier });

/** A deployment without a target is a preview. */
const previewEnv = "preview";
/** A field about a deployment's commit, by code host: `githubCommitSha`, `gitlabCommitMessage`. */
const commitField = /^(?:github|gitlab|bitbucket)Commit(?:Sha|Ref|Message|AuthorName|Repo|Org)$/;

const commitIdField = /^(?:github|gitlab|bitbucket)CommitSha$/;

const eventIdSchema = eventSchema.transform(({ id }) => id);

/** Vercel's name for the environment whose failures Whence investigates. */
const productionTarget = "production";

/**
 * Vercel's webhooks: deployments that failed, went live, or are live again. It signs no time: a webhook that is sent
 * again has the same ID.
 */
export const vercel: AlertSender = {
  kind: "vercel",
  label: "Vercel",
  inputs: [shownSecret("Secret of the webhook")],
  setup: () =>
    numbered(
      "In your team's **Settings → Webhooks**, create a webhook with this address and the events **Deployment Error**, **Deployment Succeeded**, and **Deployment Promoted**.",
      "Vercel shows the webhook's secret once: enter it here.",
    ),
  verify: (webhook, inputs) => hasSignedBody(webhook, inputs, { header: "x-vercel-signature", algorithm: "sha1" }),
  deliveryId: (webhook) => idInBody(webhook, eventIdSchema),
  read(body) {
    const { type, payload, createdAt: at } = eventSchema.parse(body);
    switch (type) {
      case "deployment.error":
        return [{ kind: "alert", alert: toAlert(deploymentSchema.parse(payload), at) }];
      case "deployment.succeeded":
        return deploys(deploymentSchema.parse(payload), at);
      case "deployment.promoted":
        return deploys({ ...deploymentSchema.parse(payload), target: productionTarget }, at);
      case "deployment.rollback":
        return [{ kind: "rollback", key: rollbackSchema.parse(payload).toDeploymentId, at }];
      case "integration-configuration.removed":
        return [{ kind: "removed", by: null }];
      default:
        return [];
    }
  },
};

/** A preview isn't live for users. */
function deploys({ deployment, links, target }: Deployment, at: string): readonly Announcement[] {
  const service = nameFrom(deployment.name);
  const env = target === productionTarget ? monitoredEnv : nameFrom(target);
  if (service === null || env === null) return [];
  const [commit = null] = Object.entries(deployment.meta ?? {})
    .filter(([name]) => commitIdField.test(name))
    .flatMap(([, id]) => commitIdSchema.safeParse(id).data ?? []);
  // Clients on Vercel name their release after the commit.
  const release = commit ?? deployment.id.slice(0, limits.serviceLengthMax);
  const url = linkFrom(links?.deployment);
  return [{ kind: "deploy", deploy: { key: deployment.id, service, env, release, commit, at, url } }];
}

function toAlert({ deployment, links, target }: Deployment, at: string): AnnouncedAlert {
  const env = target || previewEnv;
  const title = titleFrom(`Deployment of ${deployment.name} to ${env} failed`);
  const commit = Object.entries(deployment.meta ?? {}).filter(([name]) => commitField.test(name));
  return {
    key: deployment.id,
    state: "firing",
    title,
    text: textFrom(
      title,
      `- deployment = ${deployment.id}`,
      deployment.url && `- url = ${deployment.url}`,
      ...commit.map(([name, value]) => `- ${name} = ${String(value)}`),
      `timestamp: ${at}`,
    ),
    service: nameFrom(deployment.name),
    env: nameFrom(env),
    severity: target === productionTarget ? "high" : "low",
    at,
    url: linkFrom(links?.deployment),
  };
}
