import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { incidentQuery } from "../../../src/features/incidents/api/get-incident.ts";
import { occurrenceQuery, occurrencesQuery } from "../../../src/features/incidents/api/get-occurrences.ts";
import { incidentTelemetryQuery } from "../../../src/features/incidents/api/get-telemetry.ts";
import { refreshEvents } from "../../../src/features/incidents/api/refresh-events.ts";

it("reads an incident's events and telemetry again once they are outdated, and nothing else", () => {
  const queryClient = new QueryClient();
  const outdated = [occurrencesQuery("a"), occurrenceQuery("a", "e"), incidentTelemetryQuery("a")];
  const current = [incidentQuery("a"), occurrencesQuery("b"), incidentTelemetryQuery("b")];
  const isOutdated = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    queryClient.getQueryState(queryKey)?.isInvalidated;
  for (const { queryKey } of [...outdated, ...current]) queryClient.setQueryData(queryKey as readonly unknown[], {});
  refreshEvents(queryClient, "a");
  expect(outdated.map(isOutdated)).toEqual([true, true, true]);
  expect(current.map(isOutdated)).toEqual([false, false, false]);
});
