import { AsyncLocalStorage } from "node:async_hooks";
import { FactScope, type ScopeFacts } from "./fact-scope.ts";
import type { FieldRules } from "./redact.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";

/** A scope opened by `withScope`. */
interface InnerScope {
  readonly scope: FactScope;
  /** The request in which it was opened: the scope doesn't apply to another request that starts inside it. */
  readonly context: RequestContext | undefined;
}

/**
 * The scopes of this thread: one for the process, one for each request or job, and those that the program opens inside.
 */
export class Scopes {
  readonly #requests: Pick<RequestContexts, "current">;
  readonly #rules: FieldRules;
  readonly #process: FactScope;
  readonly #inner = new AsyncLocalStorage<InnerScope>();

  constructor(requests: Pick<RequestContexts, "current">, rules: FieldRules) {
    this.#requests = requests;
    this.#rules = rules;
    this.#process = new FactScope(rules);
  }

  /** Returns the scope of the running code. */
  current(): FactScope {
    const context = this.#requests.current();
    if (!context) return this.#innerOf(undefined) ?? this.#process;
    context.scope ??= new FactScope(this.#rules);
    return this.#innerOf(context) ?? context.scope;
  }

  /** Runs `callback`, and everything it starts, in a scope that inherits the current facts. Returns what it returns. */
  run<Result>(callback: (scope: FactScope) => Result): Result {
    const context = this.#requests.current();
    const scope = new FactScope(this.#rules, this.#own(context));
    return this.#inner.run({ scope, context }, () => callback(scope));
  }

  /** Returns the scope of a job that starts here, which inherits the current facts. */
  forJob(): FactScope {
    return new FactScope(this.#rules, this.#own(this.#requests.current()));
  }

  /** Returns the facts for an event of this request, the outermost first; undefined without any. */
  factsFor(context: RequestContext | undefined): readonly ScopeFacts[] | undefined {
    const facts = [this.#process.facts, this.#own(context)].filter((one) => one !== undefined);
    return facts.length === 0 ? undefined : facts;
  }

  /** Returns the facts other than those of the process. */
  #own(context: RequestContext | undefined): ScopeFacts | undefined {
    return (this.#innerOf(context) ?? context?.scope)?.facts;
  }

  #innerOf(context: RequestContext | undefined): FactScope | undefined {
    const inner = this.#inner.getStore();
    return inner?.context === context ? inner?.scope : undefined;
  }
}
