import type {
  ContentBlock,
  PermissionAnswer,
  PermissionQuestion,
  PlanEntry,
  ToolCall,
  ToolCallFields,
  Turn,
  WireEvent,
} from "@turnkit/agent";

type Seen = { -readonly [Key in keyof ToolCallFields]: ToolCallFields[Key] };

/** Turn whose client is the test: it records the output, and answers questions with the option of a given kind. */
export class RecordingTurn {
  /** Texts of the agent's messages, in their order. */
  readonly messages: string[] = [];
  thoughts = "";
  /** Events without a method of their own: notices, compactions. */
  readonly events: WireEvent[] = [];
  readonly plans: (readonly PlanEntry[])[] = [];
  readonly calls: Seen[] = [];
  /** Cancel functions of the calls, in their order. */
  readonly cancels: (() => void)[] = [];
  readonly questions: Partial<PermissionQuestion>[] = [];
  #isOpen = false;
  readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  /** Called after each output of a call or its terminal. */
  received: () => void = () => {};
  answer: (question: Partial<PermissionQuestion>) => string | undefined = () => "allow_once";
  /** Metadata of each answer. */
  answerMeta: PermissionAnswer["_meta"];

  get text(): string {
    return this.messages.join("");
  }

  say: Turn["say"] = (text) => {
    const open = this.#isOpen ? this.messages.pop() : "";
    this.messages.push((open ?? "") + textOf(text));
    this.#isOpen = true;
    return undefined;
  };

  endMessage: Turn["endMessage"] = () => {
    this.#isOpen = false;
  };

  /** Updates of calls after their end, which an agent reports as mistakes. */
  readonly late: ToolCallFields[] = [];

  think: Turn["think"] = (text) => {
    this.thoughts += textOf(text);
    return undefined;
  };

  emit: Turn["emit"] = (event) => {
    this.events.push(event);
    return undefined;
  };

  plan: Turn["plan"] = (entries) => {
    this.plans.push(entries);
    return undefined;
  };

  toolCall: Turn["toolCall"] = ({ onCancel, ...start }) => {
    const seen: Seen = { status: "pending", ...start };
    if (onCancel) this.cancels.push(onCancel);
    this.calls.push(seen);
    const update = (patch: ToolCallFields) => {
      if (/completed|failed|cancelled/.test(seen.status ?? "")) {
        this.late.push(patch);
        return undefined;
      }
      Object.assign(seen, patch);
      this.received();
      return undefined;
    };
    const call: ToolCall = {
      id: `call-${this.calls.length}`,
      update,
      append: (content) => update({ content: [...(seen.content ?? []), content] }),
      requestPermission: async (question = {}) => this.#ask(question),
      ask: async (question = {}) => (await this.#ask(question)).allowed,
      finish: (patch = {}) => update({ status: "completed", ...patch }),
      fail: (reason) => {
        call.append({ type: "content", content: { type: "text", text: reason } });
        return update({ status: "failed" });
      },
      run: async (work) => {
        update({ status: "in_progress" });
        try {
          const result = await work(this.signal);
          update({ status: "completed" });
          return result;
        } catch (error) {
          if (this.signal.aborted) update({ status: "cancelled" });
          else call.fail((error as Error).message);
          throw error;
        }
      },
    };
    return call;
  };

  async #ask(question: Partial<PermissionQuestion>): Promise<PermissionAnswer> {
    this.questions.push(question);
    const chosen = this.answer(question);
    const option = question.options?.find(({ kind }) => kind === chosen);
    const _meta = this.answerMeta;
    return { ...(option ? { allowed: option.kind.startsWith("allow"), option } : { allowed: false }), _meta };
  }
}

function textOf(text: string | ContentBlock | AsyncIterable<string>): string {
  if (typeof text !== "string") throw new TypeError("The loop says strings.");
  return text;
}
