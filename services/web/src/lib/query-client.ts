import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, statusUnauthorized } from "./api-client.ts";

const staleMs = 5_000;
const retriesMax = 2;

/** Caches answers for the life of the page; calls `onSignedOut` when a request is rejected without a session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ApiError && error.status === statusUnauthorized) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // A browser that thinks it is offline may well reach a service on its own machine or network.
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: staleMs,
        retry: (failures, error) => failures < retriesMax && isPassing(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Whether asking again may help: the service was not reached, or cannot now. */
function isPassing(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
