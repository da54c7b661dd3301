import { slack } from "@whence/vendors/testing";
import { slackEvent } from "@whence/vendors/testing/slack/samples";
import { appToken, bot, botToken, SlackDouble } from "@whence/vendors/testing/slack/slack-double";
import { SocketDouble } from "@whence/vendors/testing/slack/socket-double";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { type SenderConnections, startSenderConnections } from "../../src/webhooks/sender-connections.ts";
import { appUrl, makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let consumers: Consumers;
let socketMode: SenderConnections;
let double: SlackDouble;
let sockets: SocketDouble;
beforeAll(async () => {
  [service, double, sockets] = await Promise.all([startTestService(), SlackDouble.start(), SocketDouble.start()]);
  double.socketPort = sockets.port;
  const { id: scopeId } = await makeOrganization(service, "acme");
  await service.control.scope(scopeId).alertSources.add({
    ...{ kind: "slack", name: "Slack", by: { id: "usr_1", name: "Ada" }, now: new Date() },
    inputs: { bot_user_id: bot.userId, team: "Acme", team_id: "T0ACME" },
    secrets: { signing_secret: "s", bot_token: botToken, app_token: appToken },
  });
  const { control, events, queue, metrics, senderRequests } = service;
  const common = { control, queue, metrics, logger: silent };
  consumers = startConsumers({
    ...{ ...common, events, senderRequests, clock: Date.now },
    conversations: { vendors: { slack }, outbound: double.context, appUrl },
  });
  socketMode = startSenderConnections({ ...common, outbound: double.context });
});
afterAll(async () => {
  await socketMode.stop();
  await consumers.stop(2_000);
  await service.close();
  await Promise.all([double.close(), sockets.close()]);
});

/** Of a fact that comes with time. */
const often = { interval: 20 };

const stack =
  "TypeError: Cannot read properties of undefined (reading 'total')\n    at renderCart (/app/src/render.js:3:27)\n    at handle (/app/src/server.js:9:5)";

const mention = (seconds: number, ts: string, text: string) => ({
  ...slackEvent({
    type: "app_mention",
    user: "U1",
    text,
    ts,
    thread_ts: `${seconds}.000100`,
    channel: "C1",
    event_ts: ts,
  }),
  event_id: `Ev${ts}`,
});

describe("a mention in Slack, end to end", () => {
  it("is acknowledged, answered in the same message, and followed by answers to questions", {
    timeout: 120_000,
  }, async () => {
    const seconds = Math.floor(Date.now() / 1_000) - 60;
    const ts = `${seconds + 50}.000200`;
    double.thread(
      "C1",
      {
        ts: `${seconds}.000100`,
        bot_id: "B0",
        text: "",
        attachments: [{ title: "Cart fails", text: `\`\`\`${stack}\`\`\`` }],
      },
      { ts, user: "U1", text: `<@${bot.userId}> why?` },
    );
    await expect.poll(() => sockets.open.length, often).toBe(1);
    sockets.sendEvent("e1", mention(seconds, ts, `<@${bot.userId}> why?`));
    const own = () => (double.threads.get(`C1 ${seconds}.000100`) ?? []).filter(({ user }) => user === bot.userId);
    await expect.poll(() => own().length, often).toBe(1);
    consumers.relayOutbox();
    await expect.poll(() => double.reactions.get(`C1 ${ts}`), often).toEqual(["white_check_mark"]);
    expect(own()).toHaveLength(1);
    const again = `${seconds + 55}.000300`;
    double.threads.get(`C1 ${seconds}.000100`)?.push({ ts: again, user: "U1", text: `<@${bot.userId}> since when?` });
    sockets.sendEvent("e2", mention(seconds, again, `<@${bot.userId}> since when?`));
    await expect.poll(() => own().length, often).toBe(2);
  });
});
