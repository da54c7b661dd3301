import { AsyncLocalStorage } from "node:async_hooks";
import { FactScope, type ScopeFacts } from "./fact-scope.ts";
import type { FieldRules } from "./redact.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";

/** A scope opened by `withScope`. */
interface InnerScope {
  readonly scope: FactScope;
  /** The request in which it was opened: it isn't the scope of another that starts inside it. */
  readonly context: RequestContext | undefined;
}

/** The scopes of this thread: the process's, one for each request or job, and those that the program opens inside. */
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

  /** The scope of the running code. */
  current(): FactScope {
    const context = this.#requests.current();
    if (!context) return this.#innerOf(undefined) ?? this.#process;
    context.scope ??= new FactScope(this.#rules);
    return this.#innerOf(context) ?? context.scope;
  }

  /** Runs `callback`, and all that it starts, in a scope that inherits the current facts. What it returns passes. */
  run<Result>(callback: (scope: FactScope) => Result): Result {
    const context = this.#requests.current();
    const scope = new FactScope(this.#rules, this.#own(context));
    return this.#inner.run({ scope, context }, () => callback(scope));
  }

  /** The scope of a job that starts here: it inherits the current facts. */
  forJob(): FactScope {
    return new FactScope(this.#rules, this.#own(this.#requests.current()));
  }

  /** The facts of an event of this request, the weakest first; undefined without any. */
  factsFor(context: RequestContext | undefined): readonly ScopeFacts[] | undefined {
    const facts = [this.#process.facts, this.#own(context)].filter((one) => one !== undefined);
    return facts.length === 0 ? undefined : facts;
  }

  /** The facts without those of the process. */
  #own(context: RequestContext | undefined): ScopeFacts | undefined {
    return (this.#innerOf(context) ?? context?.scope)?.facts;
  }

  #innerOf(context: RequestContext | undefined): FactScope | undefined {
    const inner = this.#inner.getStore();
    return inner?.context === context ? inner?.scope : undefined;
  }
}
