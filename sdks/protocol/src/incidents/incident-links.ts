import { z } from "zod";

/** An alert that opened an incident, or joined it. Times are RFC 3339. */
const joinedAlertSchema = z.object({
  title: z.string(),
  /** The alert's page at its sender. */
  url: z.string().nullable(),
  /** The page that says what to do about it. */
  runbook_url: z.string().nullable(),
  /** The name of the alert source, or of the monitor. */
  source: z.string(),
  source_kind: z.enum(["alert-source", "monitor"]),
  fired_at: z.string(),
  /** Null while it lasts. */
  resolved_at: z.string().nullable(),
});

/** A thread or an issue in which someone asked about an incident. */
const joinedConversationSchema = z.object({
  title: z.string().nullable(),
  url: z.string().nullable(),
  /** The name of the alert source whose bot was asked. */
  source: z.string(),
  asked_at: z.string(),
});

/** The pages of one service's code at its code host, at the commit of a release. */
const codeLinksSchema = z.object({
  service: z.string(),
  release: z.string(),
  /** As people know the host: `GitHub`. */
  vendor: z.string(),
  commit: z.string(),
  /** The beginnings of pages: the path of a file follows, or the ID of a commit. */
  file_url: z.string(),
  blame_url: z.string(),
  commit_url: z.string(),
  /**
   * The beginnings of paths as the program reports them, each with what replaces it in the repository. The longest that
   * a path begins with counts, and an empty one only for relative paths.
   */
  roots: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type CodeLinks = z.infer<typeof codeLinksSchema>;

/** The answer of `GET /api/incidents/{id}/links`: what belongs to an incident elsewhere. */
export const incidentLinksSchema = z.object({
  /** The latest first. */
  alerts: z.array(joinedAlertSchema),
  conversations: z.array(joinedConversationSchema),
  /** Of each release in the causal chain whose commit a connected code host knows. */
  code: z.array(codeLinksSchema),
  /** The connected code hosts, as people know them: there a patch can be opened as a pull request. */
  code_hosts: z.array(z.string()),
});
export type IncidentLinks = z.infer<typeof incidentLinksSchema>;
