import { slack } from "@whence/vendors/testing";
import { postedBlocksSchema } from "@whence/vendors/testing/slack/posted-blocks";
import { pressPayload, slackEvent } from "@whence/vendors/testing/slack/samples";
import { appToken, bot, botToken, SlackDouble } from "@whence/vendors/testing/slack/slack-double";
import { SocketDouble } from "@whence/vendors/testing/slack/socket-double";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { type SenderConnections, startSenderConnections } from "../../src/webhooks/sender-connections.ts";
import {
  appUrl,
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let consumers: Consumers;
let socketMode: SenderConnections;
let double: SlackDouble;
let sockets: SocketDouble;
let acme: TestOrganization;
beforeAll(async () => {
  [service, double, sockets] = await Promise.all([startTestService(), SlackDouble.start(), SocketDouble.start()]);
  double.socketPort = sockets.port;
  acme = await makeOrganization(service, "acme");
  const { id: scopeId } = acme;
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

describe("a button below an answer in Slack", () => {
  /** Asks about a failure of its own; resolves once it is answered. */
  async function answered(at: string) {
    const seconds = Math.floor(Date.now() / 1_000) - 60;
    const [first, ts] = [`${seconds}.${at}100`, `${seconds + 50}.${at}200`];
    const text = `RangeError: ${at} is too far\n    at walk (/app/src/walk${at}.js:3:27)`;
    double.thread("C2", { ts: first, bot_id: "B0", text }, { ts, user: "U1", text: `<@${bot.userId}> why?` });
    const event = { type: "app_mention", user: "U1", text: `<@${bot.userId}> why?`, ts, thread_ts: first };
    const envelope = { ...slackEvent({ ...event, channel: "C2", event_ts: ts }), event_id: `Ev${ts}` };
    await expect.poll(() => sockets.open.length, often).toBe(1);
    sockets.sendEvent(`asked ${at}`, envelope);
    const message = () => (double.threads.get(`C2 ${first}`) ?? []).find(({ user }) => user === bot.userId);
    await expect.poll(message, often).toBeDefined();
    consumers.relayOutbox();
    await expect.poll(() => buttonsOf(message()?.blocks).length, often).toBeGreaterThan(0);
    const [{ value } = { value: "" }] = buttonsOf(message()?.blocks);
    const press = (action: string, user: string) =>
      sockets.sendEvent(
        `${action} ${user} ${Math.random()}`,
        pressPayload(
          { action_id: action, value, action_ts: `${Date.now() / 1_000}` },
          {
            user: { id: user, username: user, name: user, team_id: "T0ACME" },
            channel: { id: "C2", name: "alerts" },
            message: { type: "message", user: bot.userId, ts: message()?.ts, thread_ts: first, text: "" },
          },
        ),
        { type: "interactive" },
      );
    const read = async (path = "") =>
      (await service.app.inject({ url: `/api/incidents/${value}${path}`, headers: { cookie: acme.cookie } })).json();
    return { message, press, read };
  }

  const namesOf = (blocks: readonly unknown[] | undefined) => buttonsOf(blocks).map(({ action_id }) => action_id);

  it("takes, mutes, resolves, and reopens the incident for a member, and shows so in the message", {
    timeout: 120_000,
  }, async () => {
    double.users.set("U1", { profile: { email: "Owner@acme.example" } });
    const { message, press, read } = await answered("1");
    expect(namesOf(message()?.blocks)).toEqual(["take", "resolve", "mute"]);
    press("take", "U1");
    await expect.poll(() => namesOf(message()?.blocks), often).toEqual(["resolve", "mute"]);
    expect(JSON.stringify(message()?.blocks)).toContain("Owner: ");
    press("mute", "U1");
    await expect.poll(() => namesOf(message()?.blocks), often).toEqual(["resolve", "reopen"]);
    press("resolve", "U1");
    await expect.poll(() => namesOf(message()?.blocks), often).toEqual(["reopen"]);
    const { name } = (await read()).owner;
    expect(JSON.stringify(message()?.blocks)).toContain(`Resolved by ${name}`);
    press("reopen", "U1");
    await expect.poll(() => namesOf(message()?.blocks), often).toEqual(["resolve", "mute"]);
    const { activity } = await read("/activity");
    const done = activity.map(({ kind, by }: { kind: string; by: { kind: string; name: string } }) => [kind, by]);
    const by = expect.objectContaining({ kind: "member", name });
    for (const kind of ["taken", "muted", "resolved", "reopened"]) expect(done).toContainEqual([kind, by]);
    const audit = await service.app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } });
    const entries: { action: string; actor: { name: string } }[] = audit.json().entries;
    expect(entries.map(({ action, actor }) => [action, actor.name])).toContainEqual(["incident.resolved", name]);
  });

  it("changes nothing for anyone else, and says why to them alone", { timeout: 120_000 }, async () => {
    double.users.set("U2", { profile: { email: "stranger@other.example" } });
    double.users.set("U3", { profile: { email: "owner@acme.example" }, is_restricted: true });
    const { message, press, read } = await answered("2");
    for (const user of ["U2", "U3"]) {
      press("resolve", user);
      await expect.poll(() => double.called("chat.postEphemeral").map((call) => call.user), often).toContain(user);
    }
    expect(double.called("chat.postEphemeral")[0]).toMatchObject({
      ...{ channel: "C2", text: expect.stringContaining("Only members of the organization can do this") },
    });
    expect((await read()).lifecycle.state).toBe("open");
    expect(namesOf(message()?.blocks)).toEqual(["take", "resolve", "mute"]);
  });

  it("changes nothing where others can read by now, and says that to a member", { timeout: 120_000 }, async () => {
    double.users.set("U4", { profile: { email: "owner@acme.example" } });
    const { press, read } = await answered("3");
    double.channels.set("C2", { is_ext_shared: true });
    press("resolve", "U4");
    const told = () => double.called("chat.postEphemeral").find((call) => call.user === "U4")?.text;
    await expect.poll(told, often).toContain("people from outside of the organization can read this channel");
    double.channels.delete("C2");
    expect((await read()).lifecycle.state).toBe("open");
  });

  it("notes what was done, when Slack doesn't show it", { timeout: 120_000 }, async () => {
    double.users.set("U1", { profile: { email: "owner@acme.example" } });
    const { press, read } = await answered("4");
    double.prepare("chat.update", { status: 200, body: { ok: false, error: "account_inactive" } });
    press("resolve", "U1");
    const noted = async () => JSON.stringify(await service.control.scope(acme.id).alertSources.list());
    await expect.poll(noted, often).toContain("what a button says was done, but its message couldn't be changed");
    expect((await read()).lifecycle.state).toBe("resolved");
  });
});

/** The buttons of a posted message. */
function buttonsOf(blocks: readonly unknown[] = []): readonly { readonly action_id: string; readonly value: string }[] {
  return postedBlocksSchema.parse(blocks).flatMap((block) => (block.type === "actions" ? block.elements : []));
}
