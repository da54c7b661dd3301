import { describe, expect, it } from "vitest";
import { conversingInEachTest } from "./conversing.ts";

const our = conversingInEachTest();

describe("an application that is removed at the vendor", () => {
  it("loses its entered inputs and says so, and keeps what was generated", async () => {
    await our().announce({ kind: "removed", by: "Grace" });
    const source = await our().scope.alertSources.find(our().sourceId);
    expect(source?.failed?.reason).toBe(
      "Grace removed the application at the sender, and the secrets that were entered are deleted: install it again and enter them",
    );
    expect((await our().service.control.alertSources.find(our().sourceId))?.inputs).toEqual({ secret: "whsec_x" });
  });

  it("is recorded as received when it is installed", async () => {
    await our().announce({ kind: "installed", by: null });
    expect((await our().scope.alertSources.find(our().sourceId))?.received_at).not.toBeNull();
  });
});
