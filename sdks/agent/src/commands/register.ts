import { limits } from "@whence/protocol";
import { deathOf } from "../agent.ts";
import { plainJson } from "../terminal/plain-text.ts";
import { agentFor, defaultSource } from "./agent-for.ts";
import { type Command, exitCodes, hasFlag, serviceOptions, textOption, UsageError } from "./command.ts";
import { presentAgent, statusText } from "./status.ts";

/** `whence register`: makes sure that there is an agent with a working key. */
export const register: Command = {
  name: "register",
  summary: "register this machine's user as an agent",
  operands: "",
  options: {
    source: {
      type: "string",
      value: "NAME",
      description: `the agent's framework, ${limits.sourceLengthMin} to ${limits.sourceLengthMax} characters (${defaultSource})`,
    },
    json: { type: "boolean", description: "print JSON" },
    ...serviceOptions,
  },
  details: `Keeps the key in ~/.whence/credentials.json, readable only by you. If an agent is already registered and its
key still works, that agent is kept.`,
  async run(line, surroundings) {
    const source = textOption(line, "source") ?? defaultSource;
    if (source.length < limits.sourceLengthMin || source.length > limits.sourceLengthMax) {
      throw new UsageError(
        `--source takes ${limits.sourceLengthMin} to ${limits.sourceLengthMax} characters, not ${source.length}`,
      );
    }
    const { environment, stdout, signal } = surroundings;
    if (environment.apiKey !== undefined) throw new UsageError("WHENCE_API_KEY is set: unset it to register an agent");
    // Silent: the final output says everything.
    const agent = agentFor(
      line,
      { ...surroundings, stderr: { ...surroundings.stderr, write: () => undefined } },
      source,
    );
    const entry = await agent.ensure(signal);
    try {
      await agent.status(signal);
    } catch (error) {
      if (!isUnknownKey(error)) throw error;
      // The service's data was reset, or this is another service.
      await agent.replace(entry, deathOf(entry, error) ?? "unknown", signal);
    }
    const presented = await presentAgent(agent, signal);
    stdout.write(hasFlag(line, "json") ? `${plainJson(presented)}\n` : statusText(presented, stdout.style));
    return exitCodes.completed;
  },
};

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "WHENCE_ERR_KEY_UNKNOWN";
}
