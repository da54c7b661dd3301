import { type Incident, reportMarkdown } from "@whence/protocol";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { ownAttacks } from "../bench/attacks/own/own-attacks.ts";
import { reportOn } from "../bench/attacks/score.ts";
import { answerOf } from "../services/analyzer/src/conversations/compose-answer.ts";
import { markdownOf } from "../services/vendors/src/conversations/markdown.ts";
import { renderMessage } from "../services/vendors/src/slack/render-message.ts";
import { sampleIncident } from "../services/web/test/samples.ts";

const ours = "https://whence.example/incidents/inc_1";
const lengthMax = 60_000;
const attacks = ownAttacks
  .filter(({ technique, text }) => technique === "exfiltration" || /https?:|<img|\]\(/.test(text))
  .map((attack) => [`${attack.name} (${attack.channel})`, attack] as const);

/** Addresses that a reader's program fetches or opens from HTML. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/<(?:a|img|iframe|script|link|form)\b[^>]*?\b(?:href|src|action)="([^"]*)"/g)].map(
    ([, address = ""]) => address,
  );
}

async function attackedIncident(attack: (typeof ownAttacks)[number]): Promise<Incident> {
  const report = await reportOn(attack, attack.text);
  return sampleIncident({ title: attack.text.split("\n", 1)[0] ?? "", report, url: ours });
}

describe("what is shown of a report whose incident holds an outsider's links", () => {
  it.each(attacks)("links to nothing of theirs in Markdown for a ticket: %s", async (_, attack) => {
    const html = await marked.parse(reportMarkdown(await attackedIncident(attack)));
    expect(addressesIn(html).filter((address) => address !== ours)).toEqual([]);
  });

  it.each(attacks)("links to nothing of theirs in Markdown for a conversation: %s", async (_, attack) => {
    const html = await marked.parse(markdownOf(answerOf(await attackedIncident(attack), ours), lengthMax));
    expect(addressesIn(html).filter((address) => address !== ours)).toEqual([]);
  });

  it.each(attacks)("links to nothing of theirs in Slack: %s", async (_, attack) => {
    const message = JSON.stringify(renderMessage(answerOf(await attackedIncident(attack), ours)));
    expect(
      [...message.matchAll(/<(https?:[^|>]*)|"(?:image_)?url":"([^"]*)"/g)].map(([, one, other]) => one ?? other),
    ).toEqual([ours]);
    expect(message).not.toContain('"type":"image"');
  });
});
