import type { Migration } from "kysely/migration";
import { identityMigration } from "./0001-identity.ts";
import { controlMigration } from "./0002-control.ts";
import { fleetMigration } from "./0003-fleet.ts";
import { firstOwnerMigration } from "./0004-first-owner.ts";
import { incidentIntakeMigration } from "./0005-incident-intake.ts";
import { accuracyMigration } from "./0006-accuracy.ts";
import { incidentListMigration } from "./0007-incident-list.ts";
import { settingsMigration } from "./0008-settings.ts";
import { notificationsMigration } from "./0009-notifications.ts";
import { joinedFailuresMigration } from "./0010-joined-failures.ts";
import { refinedReportsMigration } from "./0011-refined-reports.ts";
import type { DatabaseType } from "./column-types.ts";

/**
 * Every migration, in the order of their names. A released one is never changed; the next one has the next number.
 *
 * The release before runs beside this one while a fleet is brought up to date, on the tables of this one. So a
 * migration only adds: tables, indexes, and columns that are nullable or have a default, since the release before does
 * not fill them. What nobody reads or writes any more is dropped by a migration of a later release, whose name says
 * `contract` (`0010-contract-…`): a release that does not know such a migration refuses to start, and starts beside any
 * other that is newer than itself.
 */
export function migrationsFor(type: DatabaseType): Record<string, Migration> {
  return {
    "0001-identity": identityMigration(type),
    "0002-control": controlMigration(type),
    "0003-fleet": fleetMigration(type),
    "0004-first-owner": firstOwnerMigration(type),
    "0005-incident-intake": incidentIntakeMigration(type),
    "0006-accuracy": accuracyMigration(type),
    "0007-incident-list": incidentListMigration(type),
    "0008-settings": settingsMigration(type),
    "0009-notifications": notificationsMigration(type),
    "0010-joined-failures": joinedFailuresMigration(type),
    "0011-refined-reports": refinedReportsMigration(type),
  };
}
