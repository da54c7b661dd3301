import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { confirmedChange } from "../../../src/features/settings/use-change.ts";

describe("a change of the settings", () => {
  it("is confirmed as soon as it is made, before the settings are refetched", async () => {
    const queryClient = new QueryClient();
    const read = Promise.withResolvers<string>();
    let reads = 0;
    const queryFn = () => {
      reads += 1;
      return reads === 1 ? "before" : read.promise;
    };
    const stop = new QueryObserver(queryClient, { queryKey: ["settings", "keys"], queryFn }).subscribe(() => undefined);
    await expect.poll(() => queryClient.getQueryData(["settings", "keys"])).toBe("before");

    const confirmed = Promise.withResolvers<void>();
    let isOver = false;
    const change = confirmedChange(Promise.resolve("answer"), confirmed.resolve, queryClient).then((answer) => {
      isOver = true;
      return answer;
    });
    await confirmed.promise;
    await expect.poll(() => reads).toBe(2);
    expect(isOver).toBe(false);

    read.resolve("after");
    expect(await change).toBe("answer");
    expect(queryClient.getQueryData(["settings", "keys"])).toBe("after");
    stop();
    queryClient.clear();
  });

  it("leaves alone what isn't a setting", async () => {
    const queryClient = new QueryClient();
    queryClient.setQueryData(["incidents"], []);
    queryClient.setQueryData(["settings", "keys"], []);
    await confirmedChange(Promise.resolve(), () => undefined, queryClient);
    expect(queryClient.getQueryState(["incidents"])?.isInvalidated).toBe(false);
    expect(queryClient.getQueryState(["settings", "keys"])?.isInvalidated).toBe(true);
    queryClient.clear();
  });

  it("isn't confirmed when it was rejected, and nothing is refetched", async () => {
    const queryClient = new QueryClient();
    queryClient.setQueryData(["settings", "keys"], []);
    let isConfirmed = false;
    const change = confirmedChange(
      Promise.reject(new Error("no")),
      () => {
        isConfirmed = true;
      },
      queryClient,
    );
    await expect(change).rejects.toThrow("no");
    expect(isConfirmed).toBe(false);
    expect(queryClient.getQueryState(["settings", "keys"])?.isInvalidated).toBe(false);
    queryClient.clear();
  });
});
