import { limits, type OwnerChange } from "@whence/protocol";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import { changeEach, jsonOption, whoChanges } from "./change-each.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  serviceOptions,
  textOption,
  UsageError,
} from "./command.ts";
import { requireAgent } from "./status.ts";

/** `whence take`: makes a member the owner of incidents. */
export const take: Command = changeEach({
  name: "take",
  summary: "become the owner of incidents",
  options: {
    for: { type: "string", value: "EMAIL", description: "hand them over to this member instead" },
    "let-go": { type: "boolean", description: "let go of them instead" },
  },
  details: `An agent takes an incident for the member who claimed it. An organization's key isn't a member: name one with --for.`,
  changeOf: (line) => {
    const change = ownerChange(line);
    return (agent, id, signal) => agent.changeOwner(id, change, signal);
  },
  said: ({ owner }) => (owner === null ? "has no owner" : `is owned by ${owner.name}`),
});

/** `whence comment`: adds a comment to an incident. */
export const comment: Command = {
  name: "comment",
  summary: "comment on an incident",
  operands: "ID TEXT",
  options: { ...jsonOption, ...serviceOptions },
  details: `@ with a member's name or email address mentions them.\n${whoChanges}`,
  async run(line, surroundings) {
    const [id, ...words] = line.positionals;
    const text = words.join(" ").trim();
    if (id === undefined || text === "") throw new UsageError("whence comment takes an incident's id and a text");
    if (text.length > limits.commentLengthMax)
      throw new UsageError(`a comment has at most ${limits.commentLengthMax} characters, and this one ${text.length}`);
    const { stdout, stderr, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const incident = await agent.comment(id, text, signal);
    if (hasFlag(line, "json")) stdout.write(`${plainJson(incident)}\n`);
    else stderr.write(plainText(`commented on ${id}${mentioned(incident.activity?.[0]?.comment?.mentions)}\n`));
    return exitCodes.completed;
  },
};

function ownerChange(line: CommandLine): OwnerChange {
  const to = textOption(line, "for");
  const isLettingGo = hasFlag(line, "let-go");
  if (to !== undefined && isLettingGo) throw new UsageError("whence take takes --for or --let-go, not both");
  if (isLettingGo) return { action: "let-go" };
  return to === undefined ? { action: "take" } : { action: "hand-over", to };
}

function mentioned(members: readonly { readonly name: string }[] = []): string {
  return members.length === 0 ? "" : `, mentioning ${members.map(({ name }) => name).join(", ")}`;
}
