import type { Breadcrumb } from "@whence/protocol";
import type { JSX } from "react";
import { clockTime, fullTime, zoneName } from "../../../lib/times.ts";
import { FactTable } from "../components/fact-table.tsx";

/** What happened before an event, the latest first. */
export function EventBreadcrumbs({ breadcrumbs }: { readonly breadcrumbs: readonly Breadcrumb[] }): JSX.Element {
  const [first] = breadcrumbs;
  if (first === undefined) return <p>Nothing was recorded before it.</p>;
  const zone = zoneName(new Date(first.timestamp));
  return (
    <FactTable
      label="Breadcrumbs"
      heads={[`Time (${zone})`, "Category", "Level", "Message", "Data"]}
      rows={breadcrumbs.toReversed().map(({ timestamp, category, level, message, data }) => [
        <time key="time" dateTime={timestamp} title={fullTime(timestamp)}>
          {clockTime(timestamp)}
        </time>,
        category,
        level ?? "",
        message ?? "",
        data === undefined ? "" : <code key="data">{JSON.stringify(data)}</code>,
      ])}
    />
  );
}
