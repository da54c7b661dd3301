import type { Migration } from "kysely/migration";
import { tablesMigration } from "./0001-tables.ts";
import { incidentLifecycleMigration } from "./0002-incident-lifecycle.ts";
import { modelsMigration } from "./0003-models.ts";
import { incidentOwnersMigration } from "./0004-incident-owners.ts";
import { modelRefusalsMigration } from "./0005-model-refusals.ts";
import { pullRequestsMigration } from "./0006-pull-requests.ts";
import { sentryProjectsMigration } from "./0007-sentry-projects.ts";
import { monitorsMigration } from "./0008-monitors.ts";
import { secondFactorsMigration } from "./0009-second-factors.ts";
import { incidentSharesMigration } from "./0010-incident-shares.ts";
import { artifactsMigration } from "./0011-artifacts.ts";
import { savedViewsMigration } from "./0012-saved-views.ts";
import { watchedRunsMigration } from "./0013-watched-runs.ts";
import { connectionsMigration } from "./0014-contract-connections.ts";
import { placeWatchesMigration } from "./0015-place-watches.ts";
import { releaseCommitsMigration } from "./0016-release-commits.ts";
import { mergedByHandMigration } from "./0017-merged-by-hand.ts";
import { incidentOrderMigration } from "./0018-incident-order.ts";
import { erasableAuditMigration } from "./0019-erasable-audit.ts";
import { plainUsersMigration } from "./0020-plain-users.ts";
import { stepResultsMigration } from "./0021-step-results.ts";
import { passwordsOffMigration } from "./0022-passwords-off.ts";
import { alertRunbooksMigration } from "./0023-alert-runbooks.ts";
import type { DatabaseType } from "./column-types.ts";

/**
 * Every migration, in the order of their names. A released one is never changed; the next one has the next number.
 *
 * During a rolling update, the previous release runs on the tables of this one. So a migration only adds: tables,
 * indexes, and columns that are nullable or have a default, since the previous release does not fill them. What is no
 * longer read or written is dropped by a migration of a later release, whose name says `contract` (`0002-contract-…`). A
 * release that does not know such a migration refuses to start; other newer migrations don't keep it from starting.
 */
export function migrationsFor(type: DatabaseType): Record<string, Migration> {
  return {
    "0001-tables": tablesMigration(type),
    "0002-incident-lifecycle": incidentLifecycleMigration(type),
    "0003-models": modelsMigration(type),
    "0004-incident-owners": incidentOwnersMigration(type),
    "0005-model-refusals": modelRefusalsMigration(type),
    "0006-pull-requests": pullRequestsMigration(type),
    "0007-sentry-projects": sentryProjectsMigration(type),
    "0008-monitors": monitorsMigration(type),
    "0009-second-factors": secondFactorsMigration(type),
    "0010-incident-shares": incidentSharesMigration(type),
    "0011-artifacts": artifactsMigration(type),
    "0012-saved-views": savedViewsMigration(type),
    "0013-watched-runs": watchedRunsMigration(type),
    "0014-contract-connections": connectionsMigration(type),
    "0015-place-watches": placeWatchesMigration(type),
    "0016-release-commits": releaseCommitsMigration(type),
    "0017-merged-by-hand": mergedByHandMigration(type),
    "0018-incident-order": incidentOrderMigration(),
    "0019-erasable-audit": erasableAuditMigration(type),
    "0020-plain-users": plainUsersMigration(),
    "0021-step-results": stepResultsMigration(type),
    "0022-passwords-off": passwordsOffMigration(),
    "0023-alert-runbooks": alertRunbooksMigration(type),
  };
}
