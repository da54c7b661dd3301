import { describe, expect, it } from "vitest";
import { serviceNames } from "../../src/integrations/service-names.ts";

const names = (...calledHosts: string[]) => serviceNames({ service: "orders", calledHosts });

describe("names of services", () => {
  it("begin with the failing one, and have the first label of each called host", () => {
    expect(names("payments.shop.svc.cluster.local:8080", "Users")).toEqual(["orders", "payments", "users"]);
  });

  it("include no address, and no label that many hosts share", () => {
    expect(names("10.0.0.7:5432", "::1", "api.example.com", "localhost:3000", "orders")).toEqual(["orders"]);
  });

  it("are at most 10", () => {
    expect(names(...Array.from({ length: 12 }, (_, index) => `host-${index}`))).toHaveLength(10);
  });
});
