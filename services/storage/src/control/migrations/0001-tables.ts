import type { Migration } from "kysely/migration";
import { createAccess } from "./0001-tables/access.ts";
import { createAccuracy } from "./0001-tables/accuracy.ts";
import { createAlerts } from "./0001-tables/alerts.ts";
import { createConversations } from "./0001-tables/conversations.ts";
import { createIdentity } from "./0001-tables/identity.ts";
import { createIncidents } from "./0001-tables/incidents.ts";
import { createIntake } from "./0001-tables/intake.ts";
import { createNotifications } from "./0001-tables/notifications.ts";
import { createReleases } from "./0001-tables/releases.ts";
import { createSettings } from "./0001-tables/settings.ts";
import { createSources } from "./0001-tables/sources.ts";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";

/** Every table. */
export function tablesMigration(type: DatabaseType): Migration {
  const types = columnTypesOf(type);
  return {
    async up(db) {
      await createIdentity(db, types);
      await createAccess(db, types);
      await createIncidents(db, types);
      await createIntake(db, types);
      await createAccuracy(db, types);
      await createSettings(db, types);
      await createNotifications(db, types);
      await createSources(db, types);
      await createAlerts(db, types);
      await createConversations(db, types);
      await createReleases(db, types);
    },
  };
}
