import type { Exception, Frame, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { setVariables } from "../environment.ts";
import { trimText } from "../runtime/text.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { toWireTrail } from "./breadcrumbs.ts";
import type { Thrown } from "./cause-chain.ts";
import type { NumberedEvent } from "./event.ts";
import { toWireFacts } from "./fact-scope.ts";
import { withVariables } from "./local-variables.ts";

/**
 * Returns an event in wire format: its stacks as mapped by `sources`, with the source around its frames if asked for. The
 * environment's names go with the source, which is read with them.
 */
export function toWireEvent(event: NumberedEvent, sources: SourceContexts, withSource: boolean): TelemetryEvent {
  const { id, seq, type, level, message, mechanism, thrown, trail, request, trace, attributes, facts } = event;
  return {
    id,
    seq,
    type,
    timestamp: new Date(event.timestamp).toISOString(),
    level,
    message,
    mechanism,
    exceptions: thrown && toExceptions(thrown, sources, withSource ? sources.framesWithSource(event) : undefined),
    breadcrumbs: trail && trail.breadcrumbs.length > 0 ? toWireTrail(trail) : undefined,
    request,
    trace,
    attributes,
    ...(facts && toWireFacts(facts)),
    environment_variables: withSource && thrown ? setVariables() : undefined,
    watched: event.watched?.(),
  };
}

/** Returns the minimum of an event whose other parts can't be encoded: its identity, type, message and mechanism. */
export function bareEvent({
  id,
  seq,
  type,
  timestamp,
  level,
  message,
  mechanism,
  thrown,
}: NumberedEvent): TelemetryEvent {
  const bare = {
    id,
    seq,
    type,
    timestamp: new Date(timestamp).toISOString(),
    level,
    message,
    mechanism: { ...mechanism },
  };
  if (thrown === undefined) return bare;
  const exceptions = thrown.map(({ type: name, stack }) => ({
    type: name,
    message: "",
    stack: "",
    frames: [...stack.calls.frames],
  }));
  return { ...bare, exceptions };
}

function toExceptions(
  thrown: readonly Thrown[],
  sources: SourceContexts,
  shown: readonly (readonly Frame[])[] | undefined,
): Exception[] {
  return thrown.map(({ type, message, stack, properties, variables, parent }, index) => {
    const { text, frames } = sources.mapped(stack.calls);
    const sent = withVariables(shown?.[index] ?? frames, stack.calls.frames, variables);
    return {
      type,
      message,
      // Source names may be longer than the compiled ones.
      stack: trimText(stack.header + text, limits.stackLengthMax),
      // Many events share these lists, and nothing changes them.
      frames: sent.length === 0 ? undefined : (sent as Frame[]),
      properties,
      parent,
    };
  });
}
