import { describe, expect, it } from "vitest";
import { ApiError } from "../../src/lib/api-client.ts";
import { createQueryClient } from "../../src/lib/query-client.ts";

/** How often a query is asked that always rejects with the error, and how often the session counts as over. */
async function asked(error: Error): Promise<{ times: number; signedOut: number }> {
  let [times, signedOut] = [0, 0];
  const client = createQueryClient(() => {
    signedOut += 1;
  });
  const queryFn = (): Promise<never> => {
    times += 1;
    return Promise.reject(error);
  };
  const retry = client.getDefaultOptions().queries?.retry;
  await client.fetchQuery({ queryKey: ["a"], queryFn, retryDelay: 0, ...(retry ? { retry } : {}) }).catch(() => null);
  client.clear();
  return { times, signedOut };
}

describe("a query", () => {
  it("is sent three times while the service is unavailable", async () => {
    expect(await asked(new ApiError("gone", { status: 0 }))).toEqual({ times: 3, signedOut: 0 });
    expect(await asked(new ApiError("broken", { status: 503 }))).toEqual({ times: 3, signedOut: 0 });
    expect(await asked(new TypeError("unexpected"))).toEqual({ times: 3, signedOut: 0 });
  });

  it("is sent once when the service rejects it", async () => {
    for (const status of [400, 403, 404, 422]) {
      expect(await asked(new ApiError("no", { status }))).toEqual({ times: 1, signedOut: 0 });
    }
  });

  it("ends the page's session once it is rejected without one", async () => {
    expect(await asked(new ApiError("sign in", { status: 401 }))).toEqual({ times: 1, signedOut: 1 });
  });

  it("doesn't end it when an authenticator app's code was wrong", async () => {
    const wrong = new ApiError("Invalid code", { status: 401, code: "INVALID_CODE" });
    expect(await asked(wrong)).toEqual({ times: 1, signedOut: 0 });
  });
});

describe("a change", () => {
  it("ends the page's session once it is rejected without one, and isn't retried", async () => {
    let [times, signedOut] = [0, 0];
    const client = createQueryClient(() => {
      signedOut += 1;
    });
    const mutation = client.getMutationCache().build(client, {
      mutationFn: () => {
        times += 1;
        return Promise.reject(new ApiError("sign in", { status: 401 }));
      },
    });
    await mutation.execute(undefined).catch(() => null);
    client.clear();
    expect({ times, signedOut }).toEqual({ times: 1, signedOut: 1 });
  });
});
