import type { Kysely } from "kysely";
import type { ControlTables, OrganizationSettingsTable } from "../tables.ts";
import type { OrganizationSettings } from "./access-db.ts";

/** The settings columns of a row; all null when the organization never chose any. */
export type SettingsRow = Omit<OrganizationSettingsTable, "organization_id">;

/** The settings of a row; all null without one. */
export function toSettings(row: SettingsRow | undefined): OrganizationSettings {
  return {
    retentionDays: row?.retention_days ?? null,
    eventsPerDay: row?.events_per_day ?? null,
    inputBytesMax: row?.input_bytes_max ?? null,
    plainUsers: row?.plain_users === 1,
    passwordsOff: row?.passwords_off === 1,
  };
}

/** The organization's settings; all null when it never chose any. */
export async function readSettings(db: Kysely<ControlTables>, organizationId: string): Promise<OrganizationSettings> {
  const row = await db
    .selectFrom("organization_settings")
    .select(["retention_days", "events_per_day", "input_bytes_max", "plain_users", "passwords_off"])
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return toSettings(row);
}

/** Forgets the organization's settings, but not how its members sign in: that is no data, and guards what comes later. */
export async function forgetSettings(db: Kysely<ControlTables>, organizationId: string): Promise<void> {
  const none = { retention_days: null, events_per_day: null, input_bytes_max: null, plain_users: null };
  await db
    .updateTable("organization_settings")
    .set(none satisfies Omit<SettingsRow, "passwords_off">)
    .where("organization_id", "=", organizationId)
    .execute();
}

/** Replaces the organization's settings. */
export async function writeSettings(
  db: Kysely<ControlTables>,
  organizationId: string,
  { retentionDays, eventsPerDay, inputBytesMax, plainUsers, passwordsOff }: OrganizationSettings,
): Promise<void> {
  const settings = {
    retention_days: retentionDays,
    events_per_day: eventsPerDay,
    input_bytes_max: inputBytesMax,
    plain_users: plainUsers ? 1 : 0,
    passwords_off: passwordsOff ? 1 : 0,
  };
  await db
    .insertInto("organization_settings")
    .values({ organization_id: organizationId, ...settings })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(settings))
    .execute();
}
