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

/** A turn whose client is the test: it keeps what was said, and answers questions with the option of that kind. */
export class RecordingTurn {
  text = "";
  thoughts = "";
  /** All that has no verb of its own: notices, compactions. */
  readonly events: WireEvent[] = [];
  readonly plans: (readonly PlanEntry[])[] = [];
  readonly calls: Seen[] = [];
  /** What the user may stop alone, in the order of the calls. */
  readonly cancels: (() => void)[] = [];
  readonly questions: Partial<PermissionQuestion>[] = [];
  readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  /** Called when a call or its terminal showed something new. */
  told: () => void = () => {};
  answer: (question: Partial<PermissionQuestion>) => string | undefined = () => "allow_once";

  say: Turn["say"] = (text) => {
    this.text += textOf(text);
    return undefined;
  };

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
      Object.assign(seen, patch);
      this.told();
      return undefined;
    };
    const call: ToolCall = {
      id: `call-${this.calls.length}`,
      update,
      append: (content) => update({ content: [...(seen.content ?? []), content] }),
      ask: async (question = {}) => this.#ask(question),
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
    return option ? { allowed: option.kind.startsWith("allow"), option } : { allowed: false };
  }
}

function textOf(text: string | ContentBlock | AsyncIterable<string>): string {
  if (typeof text !== "string") throw new TypeError("The loop says strings.");
  return text;
}
