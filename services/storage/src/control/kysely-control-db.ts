import { type Kysely, sql } from "kysely";
import type { Keyring } from "../secrets/keyring.ts";
import { rotateSecrets } from "../secrets/rotate-secrets.ts";
import { secretRepository } from "../secrets/secret-repository.ts";
import { accountDirectory } from "./access/accounts.ts";
import { agentDirectory } from "./access/agent-directory.ts";
import { erasures } from "./access/erasures.ts";
import { keyDirectory } from "./access/key-directory.ts";
import { organizationDirectory } from "./access/organization-directory.ts";
import { passwordAttempts } from "./access/password-attempts.ts";
import { usageLedger } from "./access/usage-ledger.ts";
import { feedbackRepository } from "./accuracy/feedback-repository.ts";
import { predictionDirectory } from "./accuracy/prediction-directory.ts";
import { alertRepository } from "./alerts/alert-repository.ts";
import { alertSourceDirectory, alertSourceRepository } from "./alerts/alert-source-repository.ts";
import { artifactRepository } from "./artifacts/artifact-repository.ts";
import { missingHeads, verifyChains } from "./audit/audit-chain.ts";
import { auditLog } from "./audit/audit-log.ts";
import { exportRows } from "./backup/export-rows.ts";
import { importRows } from "./backup/import-rows.ts";
import type { ControlDb } from "./control-db.ts";
import { conversationDirectory } from "./conversations/conversation-directory.ts";
import { conversationRepository } from "./conversations/conversation-repository.ts";
import { reclaimSpace } from "./databases/reclaim-space.ts";
import { exportScope } from "./export-scope.ts";
import { exitedProcesses } from "./failures/exited-processes.ts";
import { failureRepository } from "./failures/failure-repository.ts";
import { gatewayPulses } from "./failures/gateway-pulses.ts";
import { thresholdsRepository } from "./failures/thresholds-repository.ts";
import { expireInputs } from "./incidents/expired-inputs.ts";
import { incidentRepository } from "./incidents/incident-repository.ts";
import { investigationTurns } from "./investigations/investigation-turns.ts";
import { outbox } from "./investigations/outbox.ts";
import { refinementDirectory } from "./investigations/refinement-directory.ts";
import { lifecycleRepository } from "./lifecycle/lifecycle-repository.ts";
import { mergeRepository } from "./merges/merge-repository.ts";
import type { DatabaseType } from "./migrations/column-types.ts";
import { modelPromptDirectory, modelRepository } from "./models/model-repository.ts";
import { monitorDirectory, monitorRepository } from "./monitors/monitor-repository.ts";
import { notificationDirectory } from "./notifications/notification-directory.ts";
import { notificationRepository } from "./notifications/notification-repository.ts";
import { ownershipRepository } from "./ownership/ownership-repository.ts";
import { ownershipRules } from "./ownership/ownership-rules.ts";
import { placeWatchRepository } from "./place-watches/place-watch-repository.ts";
import { deploymentDirectory, deploymentRepository } from "./releases/deployment-repository.ts";
import { releaseCommitRepository } from "./releases/release-commit-repository.ts";
import { releaseDirectory, releaseRepository } from "./releases/release-repository.ts";
import { instructionsRepository } from "./settings/instructions-repository.ts";
import { integrationDirectory, integrationRepository } from "./settings/integration-repository.ts";
import { shareDirectory, shareRepository } from "./shares/share-repository.ts";
import { sentSourceRepository } from "./sources/sent-source-repository.ts";
import { sourceDirectory, sourceRepository } from "./sources/source-repository.ts";
import { sweep } from "./sweep.ts";
import type { ControlTables } from "./tables.ts";
import { viewRepository } from "./views/view-repository.ts";

/** What repositories need besides the database. */
export interface ControlDbParts {
  readonly type: DatabaseType;
  readonly keyring: Keyring;
  /** Opens a connection outside the service's pool and without timeouts, for backups. */
  readonly connectApart: () => Kysely<ControlTables>;
}

/** {@link ControlDb} on a database that is open and up to date. */
export function controlDb(db: Kysely<ControlTables>, { type, keyring, connectApart }: ControlDbParts): ControlDb {
  const secretsOf = (on: Kysely<ControlTables>, scopeId: string) => secretRepository(on, keyring, scopeId);
  return {
    keys: keyDirectory(db),
    agents: agentDirectory(db),
    organizations: organizationDirectory(db, type),
    passwordAttempts: passwordAttempts(db),
    outbox: outbox(db),
    turns: investigationTurns(db),
    predictions: predictionDirectory(db),
    refinements: refinementDirectory(db),
    notifications: notificationDirectory(db),
    usage: usageLedger(db),
    pulses: gatewayPulses(db),
    erasures: erasures(db),
    sharedReports: shareDirectory(db),
    accounts: accountDirectory(db),
    sourceBundles: sourceDirectory(db),
    alertSources: alertSourceDirectory(db, secretsOf),
    monitors: monitorDirectory(db),
    conversations: conversationDirectory(db),
    reportedReleases: releaseDirectory(db),
    deployments: deploymentDirectory(db),
    integrations: integrationDirectory(db),
    modelPrompts: modelPromptDirectory(db),
    scope: (scopeId) => ({
      incidents: incidentRepository(db, scopeId),
      failures: failureRepository(db, scopeId),
      lifecycle: lifecycleRepository(db, scopeId),
      merges: mergeRepository(db, scopeId),
      ownership: ownershipRepository(db, scopeId),
      ownershipRules: ownershipRules(db, scopeId),
      shares: shareRepository(db, scopeId),
      placeWatches: placeWatchRepository(db, scopeId),
      views: viewRepository(db, scopeId),
      thresholds: thresholdsRepository(db, scopeId),
      exitedProcesses: exitedProcesses(db, scopeId),
      secrets: secretRepository(db, keyring, scopeId),
      feedback: feedbackRepository(db, scopeId),
      instructions: instructionsRepository(db, scopeId),
      integrations: integrationRepository(db, (on) => secretRepository(on, keyring, scopeId), scopeId),
      model: modelRepository(db, (on) => secretRepository(on, keyring, scopeId), scopeId),
      audit: auditLog(db, scopeId),
      notifications: notificationRepository(db, secretRepository(db, keyring, scopeId), scopeId),
      sources: sourceRepository(db, scopeId),
      sentSources: sentSourceRepository(db, scopeId),
      artifacts: artifactRepository(db, scopeId),
      alertSources: alertSourceRepository(db, secretsOf, scopeId),
      alerts: alertRepository(db, scopeId),
      monitors: monitorRepository(db, scopeId),
      conversations: conversationRepository(db, scopeId),
      releases: releaseRepository(db, scopeId),
      releaseCommits: releaseCommitRepository(db, scopeId),
      deployments: deploymentRepository(db, scopeId),
      exportRows: () => exportScope(db, scopeId),
    }),
    identity: { db: db.withTables<Record<never, never>>() as Kysely<unknown>, type },
    async check() {
      await sql`select 1`.execute(db);
    },
    expireInputs: (which) => expireInputs(db, which),
    sweep: (expiredBefore, max) => sweep(db, expiredBefore, max),
    reclaim: async () => {
      if (type === "sqlite") await reclaimSpace(db);
    },
    rotateSecrets: (now) => rotateSecrets(db, keyring, now),
    verifyAuditLog: async (knownHeads) => ({
      organizations: await verifyChains(db),
      missingHeads: await missingHeads(db, knownHeads),
    }),
    exportRows: () => exportRows(connectApart),
    importRows: (rows) => importRows(connectApart, rows),
    close: () => db.destroy(),
  };
}
