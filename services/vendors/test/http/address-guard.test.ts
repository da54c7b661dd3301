import { describe, expect, it } from "vitest";
import { addressGuard } from "../../src/http/address-guard.ts";

const guard = addressGuard([]);

describe("the address guard", () => {
  it.each(["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])(
    "lets a public one through: %s",
    (address) => {
      expect(guard(address)).toBe(true);
    },
  );

  it.each([
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255", "169.254.169.254"],
    ...["172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "fe80::1", "fc00::1", "fd00:ec2::254"],
    ...["2001::1", "2001:db8::1", "2002:a00:1::", "ff02::1", "fe80::1%eth0", "localhost", "", "10.0.0"],
  ])("blocks any other: %s", (address) => {
    expect(guard(address)).toBe(false);
  });

  it("allows the networks that the operator allows, and no others", () => {
    const allowing = addressGuard(["10.0.0.0/8", "fd00::/8"]);
    expect(["10.255.0.1", "fd00::1", "1.1.1.1"].map(allowing)).toEqual([true, true, true]);
    expect(["169.254.169.254", "192.168.0.1", "fe80::1"].map(allowing)).toEqual([false, false, false]);
  });
});
