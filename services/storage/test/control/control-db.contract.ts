import { afterAll, beforeAll } from "vitest";
import type { ControlDb } from "../../src/index.ts";
import { describeAgents } from "./contract/agents.ts";
import { describeAlerts } from "./contract/alerts.ts";
import { describeAuditChain } from "./contract/audit-chain.ts";
import { describeConversations } from "./contract/conversations.ts";
import { describeDeployments } from "./contract/deployments.ts";
import { describeErasing } from "./contract/erasing.ts";
import { describeFailures } from "./contract/failures.ts";
import { describeFeedback } from "./contract/feedback.ts";
import { describeIncidents } from "./contract/incidents.ts";
import { describeIntake } from "./contract/intake.ts";
import { describeJoining } from "./contract/joining.ts";
import { describeKeys } from "./contract/keys.ts";
import { describeLifecycles } from "./contract/lifecycles.ts";
import { describeModels } from "./contract/models.ts";
import { describeNotifications } from "./contract/notifications.ts";
import { describeOrganizations } from "./contract/organizations.ts";
import { describeOwners } from "./contract/owners.ts";
import { describePasswordAttempts } from "./contract/password-attempts.ts";
import { describePlannedNotifications } from "./contract/planned-notifications.ts";
import { describePredictions } from "./contract/predictions.ts";
import { describeRefining } from "./contract/refining.ts";
import { describeReleases } from "./contract/releases.ts";
import { describeSecrets } from "./contract/secrets.ts";
import { describeSentSources } from "./contract/sent-sources.ts";
import { describeSettings } from "./contract/settings.ts";
import { describeSources } from "./contract/sources.ts";
import { describeStoredInputs } from "./contract/stored-inputs.ts";
import { describeUsage } from "./contract/usage.ts";

/** What every database behind {@link ControlDb} does. `open` opens one that holds nothing yet. */
export function describeControlDb(name: string, open: () => Promise<ControlDb>): void {
  let opened: ControlDb;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  const db = (): ControlDb => opened;

  describeOrganizations(name, db);
  describeUsage(name, db);
  describeKeys(name, db);
  describeAgents(name, db);
  describeIncidents(name, db);
  describePasswordAttempts(name, db);
  describePredictions(name, db);
  describeFeedback(name, db);
  describeIntake(name, db);
  describeFailures(name, db);
  describeLifecycles(name, db);
  describeOwners(name, db);
  describeJoining(name, db);
  describeRefining(name, db);
  describeSecrets(name, db);
  describeModels(name, db);
  describeSettings(name, db);
  describeAuditChain(name, db);
  describeNotifications(name, db);
  describePlannedNotifications(name, db);
  describeSources(name, db);
  describeSentSources(name, db);
  describeAlerts(name, db);
  describeConversations(name, db);
  describeDeployments(name, db);
  describeReleases(name, db);
  describeStoredInputs(name, db);
  describeErasing(name, db);
}
