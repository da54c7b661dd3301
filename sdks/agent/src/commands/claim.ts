import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import { type Command, exitCodes, hasFlag, serviceOptions } from "./command.ts";
import { duration, presentAgent, requireAgent } from "./status.ts";

/** `whence claim`: prints where a person can claim the agent for their organization. */
export const claim: Command = {
  name: "claim",
  summary: "print the address where a person claims the agent",
  operands: "",
  options: { json: { type: "boolean", description: "print JSON" }, ...serviceOptions },
  details: `Opening the address and signing in claims the agent for that person's organization. A claimed agent doesn't expire
and can use the organization's integrations. Keep the address secret: anyone who has it can claim the agent.`,
  async run(line, surroundings) {
    const { stdout, stderr, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const presented = await presentAgent(agent, signal);
    const { organization_id, claim_url, expires_in_seconds } = presented;
    if (hasFlag(line, "json")) stdout.write(`${plainJson({ status: presented.status, organization_id, claim_url })}\n`);
    else if (presented.status === "claimed")
      stderr.write(plainText(`claimed by ${organization_id ?? "an organization"}\n`));
    else if (claim_url === null) stderr.write("the claim address was only printed where this key was registered\n");
    else {
      stderr.write(`open this address and sign in within ${duration(expires_in_seconds ?? 0)}:\n`);
      stdout.write(`${plainText(claim_url)}\n`);
    }
    return exitCodes.completed;
  },
};
