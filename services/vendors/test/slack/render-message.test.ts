import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageDocument, MessagePart } from "../../src/conversations/message-document.ts";
import { renderMessage } from "../../src/slack/render-message.ts";
import { postedBlocksSchema } from "./posted-blocks.ts";

const answer: MessageDocument = {
  purpose: "answer",
  headline: "payments 2.0.0 stopped sending an amount.",
  parts: [
    { kind: "steps", label: "How it happened", steps: ["payments dropped `amount`", "storefront reads <it>"] },
    { kind: "paragraph", label: "Fix now", text: "Roll back payments to 1.9.4." },
    { kind: "paragraph", label: null, text: "a & b" },
    { kind: "quote", text: "TypeError: x & <y>\n    at z", source: "cart.ts:9", url: "https://w.example/e?a=1|2" },
    { kind: "quote", text: "gone", source: "a log", url: null },
    { kind: "facts", facts: ["78% likely", "PROD"] },
  ],
  link: { text: "Open the report", url: "https://whence.example.com/incidents/inc_1" },
};
const mrkdwn = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
const section = (text: string) => ({ type: "section", text: mrkdwn(text) });
const context = (text: string) => ({ type: "context", elements: [mrkdwn(text)] });
const preformatted = (text: string) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }],
});

describe("a message to a Slack thread", () => {
  it("has a heading, its parts, and the link to the report", () => {
    expect(renderMessage(answer)).toEqual({
      text: "payments 2.0.0 stopped sending an amount.",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "payments 2.0.0 stopped sending an amount." } },
        section("*How it happened*\n1. payments dropped `amount`\n2. storefront reads &lt;it&gt;"),
        section("*Fix now*\nRoll back payments to 1.9.4."),
        section("a &amp; b"),
        preformatted("TypeError: x & <y>\n    at z"),
        context("<https://w.example/e?a=1%7C2|cart.ts:9>"),
        preformatted("gone"),
        context("a log"),
        context("78% likely · PROD"),
        section("*<https://whence.example.com/incidents/inc_1|Open the report>*"),
      ],
    });
  });

  it("ends with its buttons, and each names the incident", () => {
    const buttons = { incidentId: "inc_1", texts: [["take", "Take"] as const, ["resolve", "Resolve"] as const] };
    const { blocks } = renderMessage({ ...answer, buttons });
    expect(blocks.at(-1)).toEqual({
      type: "actions",
      elements: [
        { type: "button", action_id: "take", text: { type: "plain_text", text: "Take" }, value: "inc_1" },
        { type: "button", action_id: "resolve", text: { type: "plain_text", text: "Resolve" }, value: "inc_1" },
      ],
    });
    expect(postedBlocksSchema.parse(blocks)).toEqual(blocks);
    const steps = { kind: "paragraph", label: null, text: "a" } as const;
    const long = renderMessage({ ...answer, parts: Array.from({ length: 60 }, () => steps), buttons });
    expect([long.blocks.length, long.blocks.at(-1)?.type]).toEqual([50, "actions"]);
  });

  it("is one line when it only reports progress", () => {
    const acknowledgment = { ...answer, purpose: "acknowledgment", parts: [], link: null } as const;
    expect(renderMessage(acknowledgment).blocks).toEqual([section("payments 2.0.0 stopped sending an amount.")]);
  });

  it.each([
    ["is too long for a heading", `${"very ".repeat(40)}long`],
    ["has code in it", "payments stopped sending `amount`."],
  ])("shows a whole headline that %s", (_name, headline) => {
    expect(renderMessage({ ...answer, headline, parts: [], link: null }).blocks).toEqual([section(`*${headline}*`)]);
  });

  it("keeps the link when there is too much else", () => {
    const parts = Array.from({ length: 60 }, (): MessagePart => ({ kind: "paragraph", label: null, text: "more" }));
    const { blocks } = renderMessage({ ...answer, parts });
    expect(blocks).toHaveLength(50);
    expect(blocks.at(-1)).toEqual(section("*<https://whence.example.com/incidents/inc_1|Open the report>*"));
  });

  it("keeps the limits of blocks, and mentions no one, whatever its texts are", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("<!channel>", "&".repeat(4_000), "", "<@U1>", "`".repeat(200), "x".repeat(7_000)),
    );
    const part: fc.Arbitrary<MessagePart> = fc.oneof(
      fc.record({ kind: fc.constant("paragraph" as const), label: fc.option(text), text }),
      fc.record({ kind: fc.constant("steps" as const), label: text, steps: fc.array(text) }),
      fc.record({ kind: fc.constant("quote" as const), text, source: text, url: fc.option(fc.webUrl()) }),
      fc.record({ kind: fc.constant("facts" as const), facts: fc.array(text) }),
    );
    const link = fc.option(fc.record({ text, url: fc.webUrl() }));
    const purpose = fc.constantFrom("acknowledgment" as const, "answer" as const, "failure" as const);
    const headline = text.filter((one) => one !== "");
    fc.assert(
      fc.property(fc.record({ purpose, headline, parts: fc.array(part), link }), (message) => {
        const { blocks } = renderMessage(message);
        expect(postedBlocksSchema.safeParse(blocks).error).toBeUndefined();
        const marked = blocks.filter(({ type }) => type !== "rich_text" && type !== "header");
        expect(JSON.stringify(marked)).not.toMatch(/<[!@#]/);
      }),
    );
  });
});
