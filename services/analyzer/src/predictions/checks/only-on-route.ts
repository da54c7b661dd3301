import { sumOf } from "../expected.ts";
import { type Check, exampleWhere, spreadSince, timesText } from "../look.ts";

const eventsMin = 3;

/** Refuted by one event on another route; upheld by several on this one and none elsewhere. */
export const onlyOnRoute: Check<"only-on-route"> = async (watch, look) => {
  const since = await spreadSince(watch, look, "route");
  const here = sumOf(since.filter(({ value }) => value === watch.route)).failing;
  // Work outside requests has no route, and says nothing about routes.
  const elsewhere = sumOf(since.filter(({ value }) => value !== watch.route && value !== "")).failing;
  const counts = { on_route: here, elsewhere };
  if (elsewhere > 0) {
    const excerpt = await exampleWhere(watch, look, ({ route }) => route !== watch.route && route !== "");
    return { outcome: "refuted", reason: `it occurred ${timesText(elsewhere)} on other routes`, counts, excerpt };
  }
  if (!look.isDue) return { outcome: "open", reason: "it hasn't occurred on another route yet", counts };
  if (here < eventsMin) {
    const reason = `too little traffic to tell: it occurred ${timesText(here)}, and ${eventsMin} times are needed`;
    return { outcome: "open", reason, counts };
  }
  return { outcome: "upheld", reason: `it occurred ${timesText(here)} on this route and on no other`, counts };
};
