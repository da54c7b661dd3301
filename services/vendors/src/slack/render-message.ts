import type { MessageDocument, MessagePart } from "../conversations/message-document.ts";
import {
  actions,
  type Block,
  blockKitLimits,
  context,
  escaped,
  header,
  linked,
  preformatted,
  section,
} from "./block-kit.ts";

/** Room for a label, a number, and line breaks in addition to a text. */
const markupLengthMax = 200;
const textLengthMax = blockKitLimits.textLengthMax - markupLengthMax;
const stepLengthMax = 600;

/** A message as blocks, and as the text for notifications and screen readers. */
export interface SlackMessageBody {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/**
 * Renders a message in Block Kit, within its limits: parts that don't fit are left out before the link to the whole
 * report and the buttons.
 */
export function renderMessage({ purpose, headline, parts, link, buttons }: MessageDocument): SlackMessageBody {
  const end = [
    ...(link === null ? [] : [section(`*${linked(link.url, link.text)}*`)]),
    ...(buttons ? [actions(buttons.texts, buttons.incidentId)] : []),
  ];
  const shown = [headlineOf(purpose, headline), ...parts.flatMap(blocksOf)];
  return { text: escaped(headline), blocks: [...shown.slice(0, blockKitLimits.blocksMax - end.length), ...end] };
}

/** An answer has a heading, if it fits and contains no code; a progress message is a line. */
function headlineOf(purpose: MessageDocument["purpose"], headline: string): Block {
  if (purpose !== "answer") return section(escaped(headline));
  const isHeading = escaped(headline).length <= blockKitLimits.headerLengthMax && !headline.includes("`");
  return isHeading ? header(headline) : section(`*${escaped(headline, textLengthMax)}*`);
}

function blocksOf(part: MessagePart): readonly Block[] {
  switch (part.kind) {
    case "paragraph": {
      const text = escaped(part.text, textLengthMax);
      const whole = part.label === null ? text : `${labeled(part.label)}\n${text}`;
      return whole === "" ? [] : [section(whole)];
    }
    case "steps":
      return stepsOf(part.label, part.steps);
    case "quote": {
      const source = part.url === null ? escaped(part.source) : linked(part.url, part.source);
      return [...(part.text === "" ? [] : [preformatted(part.text)]), ...(source === "" ? [] : [context(source)])];
    }
    case "facts": {
      const facts = part.facts.filter(Boolean).join(" · ");
      return facts === "" ? [] : [context(escaped(facts))];
    }
  }
}

/** Puts as many steps into a section as fit. */
function stepsOf(label: string, steps: readonly string[]): readonly Block[] {
  const texts = [labeled(label)];
  for (const [index, step] of steps.entries()) {
    const line = `${index + 1}. ${escaped(step, stepLengthMax)}`;
    const last = texts.at(-1) ?? "";
    if (last.length + line.length + 1 > blockKitLimits.textLengthMax) texts.push(line);
    else texts[texts.length - 1] = `${last}\n${line}`;
  }
  return texts.map(section);
}

function labeled(label: string): string {
  return `*${escaped(label, markupLengthMax / 2)}*`;
}
