import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway } from "../gateway.ts";
import { buildSdk, runProgram, type SdkBuild } from "../sdk-build.ts";

let sdk: SdkBuild;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());

it("the client's own requests create no spans in a program traced by OpenTelemetry", async () => {
  const gateway = await startGateway();
  const { stdout } = await runProgram("traced.cjs", { sdk: sdk.folder, endpoint: gateway.url });
  await gateway.close();
  expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/\/own$/)]);
  expect(gateway.posts.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
});
