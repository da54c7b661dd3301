import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, statusUnauthorized } from "./api-client.ts";

const staleMs = 5_000;
const retriesMax = 2;
/** The identity library answers 401 to a wrong code of an authenticator app, also within a session. */
const wrongCode = "INVALID_CODE";

/** Caches responses for the lifetime of the page; calls `onSignedOut` when a request is rejected without a session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ApiError && error.status === statusUnauthorized && error.code !== wrongCode) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // A browser that reports being offline may still reach a service on its own machine or network.
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

/** Returns whether a retry may help: the service couldn't be reached, or is temporarily unavailable. */
function isPassing(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
