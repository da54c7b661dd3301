import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTextSchema, textOf } from "../../src/slack/message-text.ts";

const said = (message: object): string => textOf(messageTextSchema.parse(message));

describe("the text of a Slack message", () => {
  it("is that of a person's rich text, with links and mentions, once", () => {
    const elements = [
      {
        type: "rich_text_section",
        elements: [
          { type: "user", user_id: "U1" },
          { type: "text", text: " see " },
          { type: "text", text: "pay.ts", style: { code: true } },
          { type: "text", text: " in " },
          { type: "channel", channel_id: "C1" },
          { type: "text", text: " and " },
          { type: "link", url: "https://x.example", text: "the log" },
        ],
      },
      { type: "rich_text_preformatted", elements: [{ type: "text", text: "TypeError: a &lt; b\n    at c" }] },
      {
        type: "rich_text_list",
        style: "bullet",
        elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "one" }] }],
      },
    ];
    const text = "<@U1> see `pay.ts` in <#C1> and <https://x.example|the log>\n```TypeError: a &lt; b```\n• one";
    expect(said({ text, blocks: [{ type: "rich_text", block_id: "b", elements }] })).toBe(
      "@U1 see pay.ts in #C1 and the log\nhttps://x.example\nTypeError: a < b\n    at c\none",
    );
  });

  it("has the blocks of a bot, and its text where the blocks lack it", () => {
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "Monitor alert" } },
      { type: "divider" },
      { type: "section", text: { type: "mrkdwn", text: "*p99* &gt; 2 s on <https://x.example|checkout>" } },
      {
        type: "section",
        fields: [
          { type: "mrkdwn", text: "env: PROD" },
          { type: "plain_text", text: "team: shop" },
        ],
      },
      {
        type: "context",
        elements: [
          { type: "image", image_url: "i", alt_text: "a" },
          { type: "mrkdwn", text: "12:00" },
        ],
      },
      { type: "actions", elements: [{ type: "button", text: { type: "plain_text", text: "Acknowledge" } }] },
    ];
    expect(said({ text: "Monitor alert: p99", blocks })).toBe(
      [
        ...["Monitor alert: p99", "p99 > 2 s on checkout (https://x.example)", "env: PROD", "team: shop"],
        ...["12:00", "Acknowledge"],
      ].join("\n"),
    );
  });

  it.each([
    ["*Alert:* orders is ~down~ slow", "Alert: orders is down slow"],
    ["*:rotating_light: orders* (*critical*)", ":rotating_light: orders (critical)"],
    ["`*args` and ```rm *.js *.ts* ``` stay", "`*args` and ```rm *.js *.ts* ``` stay"],
    ["SELECT * FROM a WHERE b * c", "SELECT * FROM a WHERE b * c"],
    ["2*3*4, ** and *.ts", "2*3*4, ** and *.ts"],
  ])("is shown without the marks of emphasis, which code keeps: %s", (text, plain) => {
    expect(said({ text })).toBe(plain);
  });

  it("has what an attachment shows, and its fallback only when it shows nothing", () => {
    const shown = {
      ...{ fallback: "no", pretext: "before", author_name: "Grafana", title: "CPU", title_link: "https://g.example" },
      ...{
        text: "high",
        fields: [
          { title: "host", value: "web-1" },
          { title: "", value: "alone" },
        ],
        footer: "v12",
      },
    };
    expect(said({ attachments: [shown] })).toBe(
      "before\nGrafana\nCPU\nhttps://g.example\nhigh\nhost: web-1\nalone\nv12",
    );
    expect(said({ text: "", attachments: [{ fallback: "[FIRING] <https://g.example|CPU>" }] })).toBe(
      "[FIRING] CPU (https://g.example)",
    );
    const nested = { blocks: [{ type: "section", text: { type: "mrkdwn", text: "in a block" } }] };
    expect(said({ attachments: [nested] })).toBe("in a block");
  });

  it("is empty for a message without text, and for arbitrary blocks", () => {
    expect(said({})).toBe("");
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(typeof said({ blocks: [one, { type: "rich_text", elements: [other] }], attachments: other })).toBe(
          "string",
        );
      }),
    );
  });

  it("ends at a depth that no Slack block has", () => {
    let block: object = { type: "mrkdwn", text: "deep" };
    for (let depth = 0; depth < 10_000; depth += 1) block = { elements: [block] };
    expect(said({ blocks: [block] })).toBe("");
  });
});
