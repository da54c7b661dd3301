import { DatabaseSync } from "node:sqlite";

export const incidentsFilled = 10_000;

/** Adds incidents with finished investigations to the only organization of a database. No process may have it open. */
export function fillIncidents(path: string): void {
  const database = new DatabaseSync(path);
  const trigger = JSON.stringify({ kind: "analyze", agent_id: null, files: 0 });
  const decision = JSON.stringify({ outcome: "opened", rule: "analyze-request", reason: "somebody asked" });
  database.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${incidentsFilled})
    INSERT INTO incident (id, scope_id, status, title, severity, trigger_kind, trigger_json, service, env, fingerprint,
      decision_json, created_at, started_at, completed_at, failure_json, report_json, attempt, category,
      root_cause_summary, confidence, events, last_event_at)
    SELECT
      printf('inc_%026d', n), (SELECT id FROM organization), 'completed',
      'TypeError: Cannot read properties of undefined (reading ''total' || n || ''')',
      CASE n % 4 WHEN 0 THEN 'critical' WHEN 1 THEN 'high' WHEN 2 THEN 'medium' ELSE 'low' END,
      'analyze', '${trigger}', 'service-' || (n % 40), 'PROD', NULL,
      '${decision}', moment, moment, moment, NULL, NULL, 1, 'null-dereference',
      'The cart of session ' || n || ' had no items when its total was read, because \`findCart\` returns undefined [e1].',
      0.8, 0, NULL
    FROM (SELECT n, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${incidentsFilled} - n) || ' minutes') AS moment FROM numbers)
  `);
  database.close();
}
