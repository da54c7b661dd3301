import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import { type Command, exitCodes, hasFlag, serviceOptions } from "./command.ts";
import { duration, presentAgent, requireAgent } from "./status.ts";

/** `whence claim`: where a person makes the agent their organization's. */
export const claim: Command = {
  name: "claim",
  summary: "the address where a person claims the agent",
  operands: "",
  options: { json: { type: "boolean", description: "print JSON" }, ...serviceOptions },
  details: `Prints one address. Whoever opens it and signs in makes the agent their organization's: it never expires then, and
may use what the organization has connected. The address is a secret until then.`,
  async run(line, surroundings) {
    const { stdout, stderr, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const presented = await presentAgent(agent, signal);
    const { organization_id, claim_url, expires_in_seconds } = presented;
    if (hasFlag(line, "json")) stdout.write(`${plainJson({ status: presented.status, organization_id, claim_url })}\n`);
    else if (presented.status === "claimed")
      stderr.write(plainText(`claimed by ${organization_id ?? "an organization"}\n`));
    else if (claim_url === null) stderr.write("the claim address was shown where this key was registered\n");
    else {
      stderr.write(`open this and sign in, within ${duration(expires_in_seconds ?? 0)}:\n`);
      stdout.write(`${plainText(claim_url)}\n`);
    }
    return exitCodes.completed;
  },
};
