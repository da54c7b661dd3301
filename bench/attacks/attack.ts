/** Where an outsider's text enters an incident. */
export const channels = [
  ...["log-line", "log-line-after", "json-log-field", "access-log-query", "request-body-in-log", "error-message"],
  ...["log-without-stack"],
  ...["breadcrumb", "breadcrumb-data", "request-path", "request-header", "local-variable", "error-property"],
  ...["attribute", "user-name", "host-name", "code-comment", "comment-elsewhere", "string-in-code", "file-name"],
  ...["document-in-tree", "ticket", "alert-description", "integration-log", "integration-issue"],
  ...["integration-problem", "integration-change", "commit-subject", "commit-author", "similar-incident"],
  ...["breadcrumb-key", "attribute-name", "header-attribute", "release-name", "mapped-file-name", "ticket-title"],
] as const;
export type Channel = (typeof channels)[number];

/** What an attack tries. */
export type Technique =
  | "instruction"
  | "another language"
  | "encoding"
  | "hidden characters"
  | "chat template"
  | "tool call"
  | "exfiltration"
  | "forged evidence"
  | "forged error"
  | "lie about the cause"
  | "lie about the fix"
  | "lie about the severity"
  | "false authority"
  | "flooding";

/** Text of an outsider that wants another report, and harmless text of the same form in the same place. */
export interface Attack {
  readonly name: string;
  readonly technique: Technique;
  readonly channel: Channel;
  readonly text: string;
  readonly twin: string;
}

/** One attack as it is written down. */
export type Row = readonly [name: string, channel: Channel, text: string, twin: string];

export function attacksOf(technique: Technique, rows: readonly Row[]): readonly Attack[] {
  return rows.map(([name, channel, text, twin]) => ({ name, technique, channel, text, twin }));
}
