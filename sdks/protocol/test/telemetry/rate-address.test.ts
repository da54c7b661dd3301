import { expect, it } from "vitest";
import { rateAddress } from "../../src/telemetry/rate-address.ts";

it.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:3::", "2001:db8:0:3::/64"],
  ["::1", "0:0:0:0::/64"],
])("counts %s as %s", (address, counted) => {
  expect(rateAddress(address)).toBe(counted);
});
