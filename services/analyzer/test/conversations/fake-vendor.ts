import type {
  ConversationClient,
  ConversationRequest,
  ConversationStatus,
  Discussion,
  MessageDocument,
  Place,
  SenderInputs,
} from "@whence/vendors";
import type { ConversationVendor } from "@whence/vendors/testing";

/** A message as people see it. */
export interface SeenMessage {
  readonly id: string;
  readonly thread: string;
  readonly purpose: MessageDocument["purpose"];
  readonly headline: string;
}

export type VendorCall = "isPublic" | "isAskedByMember" | "acknowledge" | "read" | "post" | "confirmStop" | "show";

/** A vendor that keeps what was said, can be down, and shows each key once, as real ones do. */
export class FakeVendor implements ConversationVendor {
  /** By id, as people see them now. */
  readonly messages = new Map<string, SeenMessage>();
  readonly states = new Map<string, ConversationStatus>();
  readonly discussions = new Map<string, Partial<Discussion>>();
  readonly calls: VendorCall[] = [];
  readonly opened: SenderInputs[] = [];
  /** What each call of a name fails with. */
  readonly failing = new Map<VendorCall, Error>();
  /** Calls after which the vendor has acted, and the answer is lost. */
  readonly losing = new Set<VendorCall>();
  refusal: Error | null = null;
  /** Threads that people from outside read. */
  readonly publicThreads = new Set<string>();
  /** Who asks without a role, by the `asker` of the place. */
  readonly strangers = new Set<string>();

  open(inputs: SenderInputs): ConversationClient {
    this.opened.push(inputs);
    return {
      isPublic: (place) => this.check("isPublic", () => this.publicThreads.has(threadOf(place))),
      isAskedByMember: ({ asker = "" }) => this.check("isAskedByMember", () => !this.strangers.has(asker)),
      acknowledge: (request, message, { key }) =>
        this.act("acknowledge", () => this.write(threadOf(request.place), message, { replaces: null, key })),
      read: (place) => this.act("read", () => this.discussion(place)),
      post: (place, message, { replaces, key }) =>
        this.act("post", () => this.write(threadOf(place), message, { replaces, key })),
      confirmStop: (place, message, { replaces, key }) =>
        this.act("confirmStop", () => this.confirm(threadOf(place), message, { replaces, key })),
      show: (place, status) => this.act("show", () => this.mark(threadOf(place), status)),
      close: async () => undefined,
    };
  }

  async verify(): Promise<SenderInputs> {
    if (this.refusal) throw this.refusal;
    return { bot_id: "B1" };
  }

  /** What people read in a conversation, in its order. */
  said(thread: string): string[] {
    return [...this.messages.values()].filter((message) => message.thread === thread).map(({ headline }) => headline);
  }

  fail(error: Error, ...calls: VendorCall[]): void {
    for (const call of calls) this.failing.set(call, error);
  }

  recover(): void {
    this.failing.clear();
    this.losing.clear();
  }

  /** What is asked before anything is said isn't among the calls. */
  private async check(call: VendorCall, check: () => boolean): Promise<boolean> {
    const failure = this.failing.get(call);
    if (failure) throw failure;
    return check();
  }

  private async act<Result>(call: VendorCall, act: () => Result): Promise<Result> {
    this.calls.push(call);
    const failure = this.failing.get(call);
    if (failure) throw failure;
    const result = act();
    if (this.losing.has(call)) throw new Error("the connection was reset");
    return result;
  }

  private write(
    thread: string,
    { purpose, headline }: MessageDocument,
    { replaces, key }: { readonly replaces: string | null; readonly key: string },
  ): string {
    const id = replaces ?? key;
    this.messages.set(id, { id, thread, purpose, headline });
    return id;
  }

  /** In place of the message, where that is. */
  private confirm(thread: string, message: MessageDocument, options: { replaces: string | null; key: string }): void {
    const isHere = options.replaces !== null && this.messages.get(options.replaces)?.thread === thread;
    this.write(thread, message, { replaces: isHere ? options.replaces : null, key: `${options.key} ${thread}` });
  }

  private mark(thread: string, status: ConversationStatus | null): void {
    if (status === null) this.states.delete(thread);
    else this.states.set(thread, status);
  }

  private discussion(place: Place): Discussion {
    const thread = threadOf(place);
    return {
      ...{ title: `Checkout fails in ${thread}`, text: "TypeError: total is undefined", severity: null },
      ...{ at: "2026-03-01T12:00:00.000Z", url: `https://chat.example.com/${thread}` },
      ...this.discussions.get(thread),
    };
  }
}

/** A request in a thread, as the vendor's webhook announces it. */
export function requestIn(thread: string, changes: Partial<ConversationRequest> = {}): ConversationRequest {
  return {
    ...{ thread, requestId: `${thread} 1`, how: "mentioned", question: "", author: "Ada" },
    ...{ at: "2026-03-01T12:00:00.000Z", place: { thread } },
    ...changes,
  };
}

function threadOf({ thread = "" }: Place): string {
  return thread;
}
