import type { AppsV1Api, CoreV1Api } from "@kubernetes/client-node";
import { z } from "zod";
import { isBoundedJson } from "../http/bounded-json.ts";
import { type ListPage, readEveryPage } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";

/** The parts of the API that are used. */
export interface Apis {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
}

/** The library's requests contain a host, which the transport replaces by the cluster's. */
const placeholder = "https://cluster.invalid";

/**
 * Opens the library's typed requests over our own connections, with checked addresses and limited time and responses.
 */
export async function openApis(http: VendorHttp, signal: AbortSignal): Promise<Apis> {
  // Loaded on first use, because most services have no cluster, and it is large.
  const library = await import("@kubernetes/client-node");
  const configuration = library.createConfiguration({
    baseServer: new library.ServerConfiguration(placeholder, {}),
    httpApi: library.wrapHttpLibrary({
      async send(request) {
        const { pathname, search } = new URL(request.getUrl());
        const { body, headers } = await http.text(
          { path: `${pathname}${search}`, headers: request.getHeaders(), bytesMax: vendorLimits.listBytesMax },
          signal,
        );
        if (headers["content-type"]?.includes("json") && !isBoundedJson(body)) {
          throw new VendorFailure("unexpected-answer", "Kubernetes answered with JSON of too many levels or values");
        }
        return new library.ResponseContext(
          200,
          headers,
          new library.SelfDecodingBody(Promise.resolve(Buffer.from(body))),
        );
      },
    }),
  });
  return { core: new library.CoreV1Api(configuration), apps: new library.AppsV1Api(configuration) };
}

const time = z.date().nullish();
const stateSchema = z.object({
  waiting: z.object({ reason: z.string().nullish(), message: z.string().nullish() }).nullish(),
  running: z.object({ startedAt: time }).nullish(),
  terminated: z
    .object({ exitCode: z.number(), reason: z.string().nullish(), message: z.string().nullish(), finishedAt: time })
    .nullish(),
});
const metadataSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  uid: z.string(),
  creationTimestamp: time,
  annotations: z.record(z.string(), z.string()).nullish(),
  ownerReferences: z.array(z.object({ kind: z.string(), name: z.string(), uid: z.string() })).nullish(),
});
const containerSchema = z.object({
  name: z.string(),
  restartCount: z.number(),
  state: stateSchema.nullish(),
  lastState: stateSchema.nullish(),
});

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ */
export const podSchema = z.object({
  metadata: metadataSchema,
  status: z.object({
    phase: z.string().nullish(),
    reason: z.string().nullish(),
    message: z.string().nullish(),
    startTime: time,
    containerStatuses: z.array(containerSchema).nullish(),
    initContainerStatuses: z.array(containerSchema).nullish(),
    conditions: z
      .array(
        z.object({
          type: z.string(),
          status: z.string(),
          reason: z.string().nullish(),
          message: z.string().nullish(),
          lastTransitionTime: time,
        }),
      )
      .nullish(),
  }),
});
export type Pod = z.infer<typeof podSchema>;
export type ContainerStatus = z.infer<typeof containerSchema>;

/** https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/, in the form of the core API. */
export const eventSchema = z.object({
  metadata: z.object({ creationTimestamp: time }),
  involvedObject: z.object({ kind: z.string().nullish(), name: z.string().nullish() }),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  count: z.number().nullish(),
  firstTimestamp: time,
  lastTimestamp: time,
  eventTime: time,
  series: z.object({ lastObservedTime: time }).nullish(),
});
export type ClusterEvent = z.infer<typeof eventSchema>;

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/replica-set-v1/ */
export const replicaSetSchema = z.object({
  metadata: metadataSchema,
  spec: z.object({
    template: z.object({ spec: z.object({ containers: z.array(z.object({ image: z.string().nullish() })) }) }),
  }),
});
export type ReplicaSet = z.infer<typeof replicaSetSchema>;

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/deployment-v1/ */
export const deploymentSchema = z.object({
  metadata: metadataSchema,
  status: z.object({
    conditions: z
      .array(z.object({ type: z.string(), status: z.string(), reason: z.string().nullish(), lastUpdateTime: time }))
      .nullish(),
  }),
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** Items per request. */
const perPage = 250;

/** Returns the items of a list's first pages. */
export async function listAll<Item>(
  item: z.ZodType<Item>,
  page: (of: { limit: number; _continue?: string }) => Promise<unknown>,
  pagesMax?: number,
): Promise<Item[]> {
  const schema = z.object({
    items: z.array(item),
    metadata: z.object({ _continue: z.string().nullish() }).nullish(),
  });
  const read = async (next: string | null): Promise<ListPage<Item, string>> => {
    const parsed = schema.safeParse(await page({ limit: perPage, ...(next === null ? {} : { _continue: next }) }));
    if (!parsed.success) {
      throw new VendorFailure(
        "unexpected-answer",
        "Kubernetes answered with an answer of another shape than documented",
      );
    }
    return { items: parsed.data.items, next: parsed.data.metadata?._continue || null };
  };
  return (await readEveryPage(read, pagesMax)).items;
}
