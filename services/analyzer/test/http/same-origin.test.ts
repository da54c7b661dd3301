import { describe, expect, it, onTestFinished } from "vitest";
import { appUrl, startTestService } from "../test-service.ts";

/** What a page of `origin` is answered without credentials, by the service that it calls `host`. */
async function statusFor(isAppUrlGiven: boolean, pages: readonly { origin: string; host: string }[]) {
  const service = await startTestService({}, false, {}, isAppUrlGiven);
  onTestFinished(() => service.close());
  const request = { method: "POST", url: "/api/analyze", payload: { error_log: "E" } } as const;
  const answers = await Promise.all(pages.map((headers) => service.app.inject({ ...request, headers })));
  return answers.map(({ statusCode }) => statusCode);
}

const { host } = new URL(appUrl);
const own = { origin: appUrl, host };
const ownBehindProxy = { origin: appUrl, host: "analyzer-1:4000" };
const rebound = { origin: "https://evil.example", host: "evil.example" };
const foreign = { origin: "https://evil.example", host };
const plain = { origin: appUrl.replace("https", "http"), host };

describe("a page that sends a request", () => {
  it("must be on the configured address of the service, whatever its Host says", async () => {
    const pages = [own, ownBehindProxy, rebound, foreign, plain];
    expect(await statusFor(true, pages)).toEqual([401, 401, 403, 403, 403]);
  });

  it("must be on the host it sends to when no address is configured", async () => {
    expect(await statusFor(false, [own, rebound, foreign])).toEqual([401, 401, 403]);
  });
});
