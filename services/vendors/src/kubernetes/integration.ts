import { z } from "zod";
import { openVendorHttp } from "../http/vendor-http.ts";
import type { Integration } from "../integrations/integration.ts";
import { askCluster } from "./ask-cluster.ts";
import { openApis } from "./cluster-api.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { verifyCluster } from "./verify-cluster.ts";

const inputsSchema = z.object({ kubeconfig: z.string() });

/**
 * Kubernetes: pods, events, rollouts, and the last log lines of containers.
 * https://kubernetes.io/docs/reference/kubernetes-api/
 */
export const kubernetes: Integration = {
  kind: "kubernetes",
  vendor: "Kubernetes",
  checkedAgainst: "a double of our own, its objects valid by Kubernetes' own OpenAPI document",
  connect(inputs, context) {
    const access = readKubeconfig(inputsSchema.parse(inputs).kubeconfig);
    const { server, token, tls } = access;
    const http = openVendorHttp({
      ...context,
      vendor: "Kubernetes",
      baseUrl: server,
      tls,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    return {
      verify: async (signal) => verifyCluster(await openApis(http, signal), access),
      ask: async (about, signal) => askCluster(await openApis(http, signal), access.namespace, about),
      close: () => http.close(),
    };
  },
};
