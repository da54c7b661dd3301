import { type Incident, verifyReport } from "@whence/protocol";
import type { Fault } from "./faults.ts";

/** What is wrong with what came out for a fault, a line each; empty when the report is right. */
export function problemsOf(incident: Incident, fault: Fault): string[] {
  const { report, status, failure, service } = incident;
  if (status !== "completed" || !report) return [`the investigation ${status}: ${failure?.message ?? "no report"}`];
  const { category, location } = report.root_cause;
  return [
    ...(service === fault.service ? [] : [`it is about ${service}, not ${fault.service}`]),
    ...verifyReport(report).map(({ where, problem }) => `${where} ${problem}`),
    ...(fault.categories.includes(category) ? [] : [`it says ${category}, not ${fault.categories.join(" or ")}`]),
    ...(isIn(location?.file, fault.files)
      ? []
      : [`it points to ${location?.file ?? "no file"}, not to ${fault.files[0]}`]),
  ];
}

function isIn(file: string | undefined, expected: readonly string[]): boolean {
  return file !== undefined && expected.some((end) => file.replaceAll("\\", "/").endsWith(end));
}
