import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { verify as octokitVerify, sign } from "@octokit/webhooks-methods";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ZodError, z } from "zod";
import { github } from "../../src/github/alert-sender.ts";
import { hexHmac, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";

const header = "x-hub-signature-256";
const secret = "a secret";
const body = JSON.stringify({ zen: "Design for failure.", hook_id: 1 });
const signature = `sha256=${hexHmac("sha256", secret, body)}`;
const signed = (value: string | string[] | undefined) => received(body, { [header]: value });
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }) =>
  github.verify(webhook, inputs, offline);

/** Of the examples: the one who does everything, and an account that no example has. */
const codertocat = { bot: "Codertocat", bot_id: "21031067" };
const whence = { bot: "acme-whence", bot_id: "4711" };

const exampleSchema = z.looseObject({
  action: z.string().optional(),
  issue: z.looseObject({ body: z.string().nullable().optional(), pull_request: z.unknown().optional() }).optional(),
  comment: z.looseObject({ id: z.int(), body: z.string() }).optional(),
  sender: z.looseObject({ id: z.int(), login: z.string(), type: z.string() }).optional(),
});
type Example = z.infer<typeof exampleSchema>;

/** Webhooks that GitHub's users contributed. */
const all = examples.flatMap(({ name, examples: bodies }) =>
  bodies.map((example): readonly [string, unknown] => [name, example]),
);

function exampleOf(event: string, action: string): Example {
  const bodies = all.filter(([name]) => name === event).map(([, example]) => exampleSchema.parse(example));
  const found = bodies.find((example) => example.action === action && example.issue?.pull_request === undefined);
  if (!found) throw new Error(`no example of ${event}.${action}`);
  return found;
}

const bob = { login: "bob", id: 8, type: "User" };
const requestsIn = (sent: unknown, bot = whence) =>
  read(github, sent, received(sent), bot).flatMap((one) => (one.kind === "request" ? [one.request] : []));

function commented(text: string, more: Partial<Example> = {}): Example {
  const example = exampleOf("issue_comment", "created");
  return { ...example, sender: bob, comment: { id: 492700400, ...example.comment, body: text }, ...more };
}

const place = { repository: "Codertocat/Hello-World", issue: "1", asker: "bob" };

describe("the signature of a GitHub webhook", () => {
  it("is accepted as GitHub makes it", async () => {
    expect(verify(received(body, { [header]: await sign(secret, body) }))).toBe(true);
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    const documented = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const webhook = received("Hello, World!", { [header]: documented });
    expect(verify(webhook, { secret: "It's a Secret to Everybody" })).toBe(true);
  });

  it.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["an empty hash", "sha256="],
    ["a SHA-1", `sha1=${hexHmac("sha1", secret, body)}`],
    ["another's signature", `sha256=${hexHmac("sha256", "another", body)}`],
    ["a hash without its prefix", signature.slice(7)],
    ["a hash that is too short", signature.slice(0, -1)],
    ["two headers that Node lists", [signature, signature]],
  ])("is rejected with %s", (_, value) => {
    expect(verify(signed(value))).toBe(false);
  });

  it("is rejected after a change of the body or the signature, and without a secret", () => {
    expect(verify(tampered(signed(signature)))).toBe(false);
    expect(verify(withForged(signed(signature), header))).toBe(false);
    expect(verify(signed(signature), {})).toBe(false);
    expect(verify(received(body, { [header]: `sha256=${hexHmac("sha256", "", body)}` }), {})).toBe(false);
  });

  it("is judged like octokit judges it", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    const given = fc.constantFrom("right", "of another secret", "of another body", "forged", "without prefix");
    await fc.assert(
      fc.asyncProperty(text, text, text, given, async (key, payload, other, which) => {
        const right = await sign(key, payload);
        const signatures = {
          right,
          "of another secret": await sign(other, payload),
          "of another body": await sign(key, other),
          forged: right.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
          "without prefix": right.slice("sha256=".length),
        };
        const sent = received(payload, { [header]: signatures[which] });
        expect(verify(sent, { secret: key })).toBe(await octokitVerify(key, payload, signatures[which]));
      }),
    );
  });
});

describe("a GitHub webhook", () => {
  it("asks when an issue is assigned to the bot", () => {
    const example = exampleOf("issues", "assigned");
    expect(requestsIn({ ...example, sender: bob }, codertocat)).toEqual([
      {
        ...{ thread: "444500041", requestId: "issue-444500041", how: "assigned", question: "", author: "bob" },
        ...{ at: "2019-05-15T15:20:18.000Z", place },
      },
    ]);
    const later = { ...example.issue, updated_at: "2019-05-16T08:00:00Z" };
    expect(requestsIn({ ...example, issue: later, sender: bob }, codertocat)).toMatchObject([
      { requestId: "assignment-444500041-2019-05-16T08:00:00.000Z", at: "2019-05-16T08:00:00.000Z" },
    ]);
  });

  it("cancels its request when the bot is unassigned, and not when someone else is", () => {
    const example = { ...exampleOf("issues", "unassigned"), sender: bob };
    const stopped = { thread: "444500041", at: "2019-05-15T15:20:25.000Z", place };
    expect(read(github, example, received(example), codertocat)).toEqual([{ kind: "stop", stopped }]);
    expect(read(github, example, received(example), whence)).toEqual([]);
  });

  it("asks when automation assigns an issue, and not when the bot itself does, or someone else is assigned", () => {
    const example = exampleOf("issues", "assigned");
    const automation = { login: "github-actions[bot]", id: 41898282, type: "Bot" };
    expect(requestsIn({ ...example, sender: automation }, codertocat)).toMatchObject([
      { place: { asker: "github-actions[bot]", app: "true" } },
    ]);
    expect(requestsIn(example, codertocat)).toEqual([]);
    expect(requestsIn(example, whence)).toEqual([]);
    expect(requestsIn({ ...example, assignee: null }, codertocat)).toEqual([]);
  });

  it("asks when a comment mentions the bot", () => {
    expect(requestsIn(commented("@acme-whence why does\nit fail?"))).toEqual([
      {
        ...{ thread: "444500041", requestId: "comment-492700400", how: "mentioned", author: "bob" },
        ...{ question: "why does\nit fail?", at: "2019-05-15T15:20:21.000Z" },
        place: { ...place, comment: "492700400" },
      },
    ]);
    expect(requestsIn(commented("@Acme-Whence"))).toMatchObject([{ question: "" }]);
  });

  it("asks when the text of a new issue mentions the bot, together with an assignment at the same time as one request", () => {
    const opened = exampleOf("issues", "opened");
    const asking = { ...opened, sender: bob, issue: { ...opened.issue, user: bob, body: "It fails. @acme-whence" } };
    expect(requestsIn(asking)).toEqual([
      {
        ...{
          thread: "444500041",
          requestId: "issue-444500041",
          how: "mentioned",
          question: "It fails.",
          author: "bob",
        },
        ...{ at: "2019-05-15T15:20:18.000Z", place },
      },
    ]);
    const assigned = { ...asking, action: "assigned", assignee: { login: "acme-whence", id: 4711, type: "User" } };
    expect(requestsIn(assigned)).toMatchObject([{ requestId: "issue-444500041" }]);
    expect(requestsIn({ ...asking, issue: { ...asking.issue, body: null } })).toEqual([]);
  });

  it("is from the author of a new issue's text, even when someone else transferred it there", () => {
    const opened = exampleOf("issues", "opened");
    const by = (user: object | null) => ({
      ...opened,
      sender: bob,
      issue: { ...opened.issue, user, body: "@acme-whence" },
    });
    const mallory = { login: "mallory", id: 666, type: "User" };
    expect(requestsIn(by(mallory))).toMatchObject([{ author: "mallory", place: { asker: "mallory" } }]);
    expect(requestsIn(by({ ...mallory, type: "Bot" }))).toEqual([]);
    expect(requestsIn(by(null))).toEqual([]);
  });

  it("asks in the other content type that GitHub offers", () => {
    const form = new URLSearchParams({ payload: JSON.stringify(commented("@acme-whence why?")) });
    expect(github.read(undefined, received(form.toString()), whence)).toMatchObject([{ kind: "request" }]);
  });

  it.each([
    ["mentions no one", commented("It fails again")],
    ["mentions the bot in code", commented("`@acme-whence`")],
    ["mentions the bot in a quote", commented("> @acme-whence why?\n\nI don't know")],
    ["mentions another account", commented("@acme-whence-2 why?")],
    ["is of an application", commented("@acme-whence", { sender: { login: "ci[bot]", id: 9, type: "Bot" } })],
    ["is the bot's own", commented("@acme-whence", { sender: { login: "acme-whence", id: 4711, type: "User" } })],
    ["is edited", { ...commented("@acme-whence"), action: "edited" }],
    ["is deleted", { ...commented("@acme-whence"), action: "deleted" }],
    [
      "is on a pull request",
      commented("@acme-whence", { issue: { ...exampleOf("issue_comment", "created").issue, pull_request: {} } }),
    ],
  ])("asks nothing when a comment %s", (_, sent) => {
    expect(requestsIn(sent)).toEqual([]);
  });

  it("asks nothing in any example of any event, and each is parsed", () => {
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(([, example]) => requestsIn(example).length > 0)).toEqual([]);
  });

  it.each([null, [[]], "text", { action: "created", issue: {}, comment: {} }, { action: "assigned", issue: {} }])(
    "isn't read as: %j",
    (other) => {
      expect(() => read(github, other, received(other), whence)).toThrow(ZodError);
    },
  );

  it("is identified by its bytes, whatever its headers say", () => {
    const [once, again] = ["1", "2"].map((id) => received(body, { "x-github-delivery": id }));
    expect(once && github.deliveryId(once)).toBe(again && github.deliveryId(again));
    expect(once && github.deliveryId(once)).not.toBe(github.deliveryId(received(`${body} `)));
  });
});
