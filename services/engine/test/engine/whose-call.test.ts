import { expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, foreignFrame, reportedEvent } from "../reported-event.ts";

// Nothing about its path says whose it is.
const helper = { ...foreignFrame("/srv/orders/shared/prices.js", 40, "total"), column: 7 };
const own = { ...foreignFrame("/srv/orders/app.js", 12, "checkout"), in_app: true };

it.each([
  ["starts at it when its client says that it's the program's own", true, "/srv/orders/shared/prices.js"],
  ["starts at its caller when its client says that it isn't", false, "/srv/orders/app.js"],
])("the report on a call without source %s", async (_, isOwn, file) => {
  const thrown = exception("Error", "no price", [{ ...helper, in_app: isOwn }, own]);
  const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [thrown] })));
  expect(report.root_cause.location?.file).toBe(file);
});
