import { notificationRuleChangeSchema } from "@whence/protocol";
import { addressGuard, everyChannel } from "@whence/vendors";
import { slack } from "@whence/vendors/testing";
import { postedBlocksSchema } from "@whence/vendors/testing/slack/posted-blocks";
import { pressPayload } from "@whence/vendors/testing/slack/samples";
import { appToken, bot, botToken, type DoubleMessage, SlackDouble } from "@whence/vendors/testing/slack/slack-double";
import { SocketDouble } from "@whence/vendors/testing/slack/socket-double";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Notifier, startNotifier } from "../../src/notifications/notifier.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { type SenderConnections, startSenderConnections } from "../../src/webhooks/sender-connections.ts";
import { endedIncident } from "../ended-report.ts";
import {
  appUrl,
  makeOrganization,
  noMail,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const by = { id: "usr_1", name: "Ada" };
const often = { interval: 20 };

let service: TestService;
let double: SlackDouble;
let sockets: SocketDouble;
let consumers: Consumers;
let socketMode: SenderConnections;
let notifier: Notifier;
let acme: TestOrganization;
beforeAll(async () => {
  [service, double, sockets] = await Promise.all([startTestService(), SlackDouble.start(), SocketDouble.start()]);
  double.socketPort = sockets.port;
  double.channels.set("C0123456789", {});
  double.users.set("U1", { profile: { email: "owner@acme.example" } });
  acme = await makeOrganization(service, "acme");
  const { control, events, queue, metrics, senderRequests } = service;
  const outbound = double.context;
  const common = { control, queue, metrics, logger: silent };
  const conversations = { vendors: { slack }, outbound, appUrl };
  consumers = startConsumers({ ...common, events, senderRequests, clock: Date.now, conversations });
  socketMode = startSenderConnections({ ...common, outbound });
  const clock = () => service.clock.now;
  const outside = { clock, mayReach: addressGuard([]), mailer: noMail, hasMailServer: true, appUrl };
  const apps = { vendors: { slack }, outbound };
  notifier = startNotifier({
    ...{ control, metrics, appUrl, clock, apps },
    ...{ channels: everyChannel(outside), logger: silent },
  });
});
afterAll(async () => {
  await notifier.stop(10_000);
  await socketMode.stop();
  await consumers.stop(2_000);
  await service.close();
  await Promise.all([double.close(), sockets.close()]);
});

const connectApp = (): Promise<unknown> =>
  service.control.scope(acme.id).alertSources.add({
    ...{ kind: "slack", name: "Slack", by, now: new Date() },
    inputs: { bot_user_id: bot.userId, team: "Acme", team_id: "T0ACME" },
    secrets: { signing_secret: "s", bot_token: botToken, app_token: appToken },
  });
const makeRule = async (target: string): Promise<string> => {
  const change = notificationRuleChangeSchema.parse({
    ...{ name: "On call", events: ["completed"], emails: [], slack: true, slack_target: target },
  });
  const now = new Date(service.clock.now);
  const rule = await service.control
    .scope(acme.id)
    .notifications.create({ change, secrets: { slack: target }, by, now });
  return rule?.id ?? "";
};
const outcome = async (ruleId: string) => {
  const [delivery] = await service.control.scope(acme.id).notifications.deliveries(ruleId, 1);
  return [delivery?.state, delivery?.reason];
};
const messages = (): readonly DoubleMessage[] => [...double.threads.values()].flat();
const buttonsOf = ({ blocks }: Pick<DoubleMessage, "blocks"> = {}) =>
  postedBlocksSchema.parse(blocks ?? []).flatMap((block) => (block.type === "actions" ? block.elements : []));
const namesOf = (message: DoubleMessage | undefined) => buttonsOf(message).map(({ action_id }) => action_id);

describe("a rule that names a channel of Slack", () => {
  it("says to connect an app while there is none", async () => {
    const ruleId = await makeRule("C0123456789");
    await endedIncident(service, acme.id);
    const noApp = ["given_up", expect.stringContaining("no Slack app is connected")];
    await expect.poll(() => outcome(ruleId), often).toEqual(noApp);
    await service.control.scope(acme.id).notifications.remove(ruleId);
  });

  it("posts as the organization's app, with the buttons of an answer, which a member presses", async () => {
    await connectApp();
    const ruleId = await makeRule("C0123456789");
    const incidentId = await endedIncident(service, acme.id);
    await expect.poll(() => outcome(ruleId), often).toEqual(["sent", null]);
    expect(messages()).toHaveLength(1);
    const message = () => messages()[0];
    expect(JSON.stringify(message())).toContain("It broke.");
    expect(namesOf(message())).toEqual(["take", "resolve", "mute"]);
    expect(new Set(buttonsOf(message()).map(({ value }) => value))).toEqual(new Set([incidentId]));

    await expect.poll(() => sockets.open.length, often).toBe(1);
    const press = pressPayload(
      { action_id: "resolve", value: incidentId, action_ts: `${Date.now() / 1_000}` },
      {
        user: { id: "U1", username: "ada", name: "ada", team_id: "T0ACME" },
        channel: { id: "C0123456789", name: "alerts" },
        message: { type: "message", user: bot.userId, ts: message()?.ts, text: "" },
      },
    );
    sockets.sendEvent("resolve", press, { type: "interactive" });
    await expect.poll(() => namesOf(message()), often).toEqual(["reopen"]);
    expect(messages()).toHaveLength(1);
    const read = await service.app.inject({ url: `/api/incidents/${incidentId}`, headers: { cookie: acme.cookie } });
    expect(read.json().lifecycle).toMatchObject({ state: "resolved", by: { kind: "member" } });
    await service.control.scope(acme.id).notifications.remove(ruleId);
  });

  it("posts nothing in a channel that another organization reads, until an owner opens the source", async () => {
    double.channels.set("C0SHARED000", { is_ext_shared: true });
    const ruleId = await makeRule("C0SHARED000");
    const posted = messages().length;
    await endedIncident(service, acme.id);
    const refused = ["given_up", expect.stringContaining("people from outside of the organization can read it")];
    await expect.poll(() => outcome(ruleId), often).toEqual(refused);
    expect(messages()).toHaveLength(posted);
    const { alertSources } = service.control.scope(acme.id);
    for (const { id } of await alertSources.list()) await alertSources.answerPublicly(id, true);
    await endedIncident(service, acme.id);
    await expect.poll(() => outcome(ruleId), often).toEqual(["sent", null]);
    await service.control.scope(acme.id).notifications.remove(ruleId);
  });

  it("says that the app isn't in the channel, and doesn't try again", async () => {
    const ruleId = await makeRule("C0ELSEWHERE");
    await endedIncident(service, acme.id);
    const notThere = ["given_up", expect.stringContaining("invite the app to the channel")];
    await expect.poll(() => outcome(ruleId), often).toEqual(notThere);
  });
});
