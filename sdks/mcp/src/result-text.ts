import type { RcaResult } from "./rca-result.ts";

/**
 * Formats the result as plain text: first only the address, as the tool promises; then what is known so far, and its
 * authors.
 */
export function resultTexts(result: RcaResult): string[] {
  const { url, report, failure, agent, provenance } = result;
  const said = (field: string): string => {
    const known = provenance[field];
    return known ? `(${known.author}; ${known.unconfirmed})` : "";
  };
  const lines = report
    ? [
        `Root cause ${said("report.root_cause_summary")}: ${report.root_cause_summary}`,
        `Category ${report.category}, confidence ${Math.round(report.confidence * 100)}%${placeText(report.location)}`,
        ...report.short_term_solutions
          .slice(0, 1)
          .map(({ title }) => `First fix ${said("report.short_term_solutions")}: ${title}`),
        "The full report, with its evidence, is at this address.",
      ]
    : [
        failure === undefined
          ? "The analysis continues; its report will be at this address."
          : `The analysis failed ${said("failure")}: ${failure}`,
      ];
  return [
    url,
    lines.join("\n"),
    ...(agent?.claim_url === undefined ? [] : [claimText(agent.claim_url, agent.expires_at)]),
  ];
}

function placeText(location: { file: string; line: number | null } | null): string {
  if (location === null) return "";
  return `, at ${location.file}${location.line === null ? "" : `:${location.line}`}`;
}

function claimText(claimUrl: string, expiresAt: string | undefined): string {
  const until = expiresAt === undefined ? "" : ` It expires at ${expiresAt} unless claimed.`;
  return `This ran as an unclaimed agent. Show the person this address, where they can claim it for their organization: ${claimUrl}.${until}`;
}
