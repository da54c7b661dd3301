import { inlineCode } from "../../../prose.ts";
import { calleesOf } from "../tree/calls.ts";
import { around, type CodeNode, functionNodesMax, part, walk } from "../tree/code-node.ts";
import { argumentsOf, lastName, operandsOf, plain, receiverOf, textOf } from "../tree/expressions.ts";
import { nameOf } from "../tree/functions.ts";
import type { CodeProgram, Write } from "../tree/program.ts";
import type { CodePrograms } from "../tree/programs.ts";
import type { Rule } from "../tree/rule.ts";
import { operatorOf } from "../tree/throw-site.ts";

/** `value, _ := call()` where the call also gives an error: the value is used although there may be none. */
const ignoredError: Rule = {
  name: "ignored-error",
  find: (program, programs) =>
    (program.writes.get("_") ?? []).flatMap((write) => {
      const call = write.value && plain(write.value);
      if (call?.kind !== "call" || write.at === 0 || !isLast(write)) return [];
      const [found] = calleesOf(programs, program, call);
      if (found && !givesError(found.program, found.node)) return [];
      const name = inlineCode(textOf(part(call, "callee") ?? call, program.source));
      return [
        {
          node: write.node,
          subject: textOf(part(call, "callee") ?? call, program.source),
          says: `the error of ${name} is ignored (${inlineCode("_")}): when it fails, what it gave is used as if it were good`,
          remedy: `Take the error of ${name} and return it, wrapped (\`fmt.Errorf("…: %w", err)\`), before its value is used.`,
        },
      ];
    }),
};

function isLast({ node, target }: Write): boolean {
  const left = part(node, "target");
  return left?.children.at(-1) === target && left.children.length > 1;
}

function givesError(program: CodeProgram, node: CodeNode): boolean {
  const result = node.children.find(({ field }) => field === "result");
  return result !== undefined && /\berror\)?$/.test(textOf(result, program.source, 200));
}

const locking = /^(?:Lock|RLock|LoadOrStore|Do)$/;
const writesLookedAtMax = 300;

/** A map of a struct, written without a lock: two goroutines at a time end the process. */
const unguardedMap: Rule = {
  name: "unguarded-map",
  find: (program) => {
    const indexed = [...program.writes.values()]
      .flat()
      .slice(0, writesLookedAtMax)
      .filter(({ target }) => target.kind === "index" && plain(part(target, "on") ?? target).kind === "member");
    return indexed.flatMap(({ node, target }) => {
      const owner = program.ownerOf(node);
      const on = part(target, "on");
      if (!owner || !on || holds(program, owner)) return [];
      const name = textOf(on, program.source);
      return [
        {
          node,
          subject: name,
          says: `${inlineCode(name)} is written here without a lock: when two goroutines do it at once, the runtime ends the process`,
          remedy: `Guard ${inlineCode(name)} with a \`sync.Mutex\` in every method that reads or writes it, or use \`sync.Map\`.`,
        },
      ];
    });
  },
};

function holds({ source }: CodeProgram, owner: CodeNode): boolean {
  for (const node of walk(owner, functionNodesMax))
    if (node.kind === "call" && locking.test(lastName(node, source) ?? "")) return true;
  return false;
}

/** `close(channel)`, when others still send on it. */
const closedElsewhere: Rule = {
  name: "closed-elsewhere",
  find: (program, programs) =>
    (program.calls.get("close") ?? []).flatMap((call) => {
      const closed = argumentsOf(call, program.source)[0]?.value;
      const name = closed ? lastName(closed, program.source) : null;
      if (!closed || name === null || part(call, "callee")?.kind !== "name") return [];
      const sender = sendersOf(programs)
        .get(name)
        ?.find(({ owner }) => owner !== program.ownerOf(call));
      if (!sender) return [];
      const text = inlineCode(textOf(closed, program.source));
      const who = inlineCode(sender.name ?? "another function");
      return [
        {
          node: call,
          subject: textOf(closed, program.source),
          says: `${text} is closed here while ${who} may still send on it, and sending on a closed channel panics`,
          remedy: `Let only the sender close ${text}: tell ${who} to stop (a \`done\` channel or a context) and wait for it before the channel is closed; guard a second close with \`sync.Once\`.`,
        },
      ];
    }),
};

interface Sender {
  readonly owner: CodeNode | null;
  readonly name: string | null;
}

const knownSenders = new WeakMap<CodePrograms, ReadonlyMap<string, readonly Sender[]>>();
/** Of one channel. */
const sendersMax = 4;

/** The functions that send on a channel, by the last name of the channel. */
function sendersOf(programs: CodePrograms): ReadonlyMap<string, readonly Sender[]> {
  const known = knownSenders.get(programs);
  if (known) return known;
  const senders = new Map<string, Sender[]>();
  for (const program of programs.all()) {
    for (const node of walk(program.tree)) {
      const on = node.type === "send_statement" ? node.children[0] : undefined;
      const name = on ? lastName(on, program.source) : null;
      if (name === null) continue;
      const owner = program.ownerOf(node);
      const sender = { owner, name: owner ? nameOf(program, owner) : null };
      senders.set(name, [...(senders.get(name) ?? []).slice(0, sendersMax), sender]);
    }
  }
  knownSenders.set(programs, senders);
  return senders;
}

/** `defer file.Close()` in a loop: nothing is closed before the function ends. */
const deferInLoop: Rule = {
  name: "defer-in-loop",
  find: (program) =>
    [...walk(program.tree)].flatMap((node) => {
      const called = node.type === "defer_statement" ? node.children[0] : undefined;
      if (called?.kind !== "call" || around(node, "loop", "function")?.kind !== "loop") return [];
      const name = textOf(called, program.source);
      return [
        {
          node,
          subject: name,
          says: `${inlineCode(name)} is deferred within a loop: nothing is released before the function ends, so that all turns hold what they took`,
          remedy: `Move the body of the loop into a function of its own, so that ${inlineCode(name)} runs after each turn.`,
        },
      ];
    }),
};

/** `for i := 0; i <= len(x); i++`: the last turn is beyond the end. */
const tooFar: Rule = {
  name: "one-too-far",
  find: (program) =>
    program.loops.flatMap((loop) => {
      const clause = loop.children.find(({ type }) => type === "for_clause");
      const condition = clause?.children.find(({ field }) => field === "condition");
      const right = condition && part(condition, "right");
      if (!condition || !right || operatorOf(condition, program.source.text) !== "<=") return [];
      const length = operandsOf(right).find((one) => one.kind === "call" && lastName(one, program.source) === "len");
      if (!length || plain(right) !== length || receiverOf(length)) return [];
      const text = inlineCode(textOf(condition, program.source));
      return [
        {
          node: loop,
          subject: textOf(condition, program.source),
          says: `the loop runs while ${text}: its last turn is one beyond the last element`,
          remedy: `Write \`<\` for \`<=\` in ${text}, or go through it with \`range\`.`,
        },
      ];
    }),
};

export const goRules: readonly Rule[] = [ignoredError, unguardedMap, closedElsewhere, deferInLoop, tooFar];
