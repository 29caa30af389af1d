import { type Frame, isCall } from "./frame.js";

/** Side of a connection. */
export type Side = "agent" | "client";

/** Message or invalid line of a connection. */
export type TranscriptEntry = {
  readonly by: Side;
  readonly kind: "request" | "notification" | "result" | "error" | "invalid line" | "broken";
  /** Method of a call or, for an answer, the method of its request. */
  readonly method?: string;
  /** Kind of a `session/update`. */
  readonly update?: string;
  /** Message itself, not a copy. For an invalid line, its text. */
  readonly frame: unknown;
  /**
   * Label to show to people. Examples:
   *
   * - `client: session/prompt`
   * - `agent: session/update agent_message_chunk`
   * - `agent: result of session/prompt`
   * - `agent: error of session/new`
   * - `agent: invalid line`
   * - `agent: broken frame`
   */
  readonly label: string;
};

/** Maker of entries from frames. It stores requests, so that an answer gets the method of its request. */
export class EntryMaker {
  readonly #asked = new Map<string, string>();

  invalidLine(by: Side, text: string): TranscriptEntry {
    return { by, kind: "invalid line", frame: text, label: `${by}: invalid line` };
  }

  entry(by: Side, message: unknown): TranscriptEntry {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return broken(by, message);
    const frame = message as Frame;
    return isCall(frame) ? this.#call(by, frame) : this.#answer(by, frame);
  }

  #call(by: Side, frame: Frame): TranscriptEntry {
    const { method, params } = frame as { method: string; params?: Frame };
    const isQuestion = "id" in frame;
    if (isQuestion) this.#asked.set(keyOf(by, frame.id), method);
    const kind: unknown = params?.update?.sessionUpdate;
    const update = typeof kind === "string" ? kind : undefined;
    return {
      by,
      kind: isQuestion ? "request" : "notification",
      method,
      ...(update !== undefined && { update }),
      frame,
      label: `${by}: ${update === undefined ? method : `${method} ${update}`}`,
    };
  }

  #answer(by: Side, frame: Frame): TranscriptEntry {
    const kind = "error" in frame ? "error" : "result";
    if (!("id" in frame) || (kind === "result" && !("result" in frame))) return broken(by, frame);
    const key = keyOf(by === "agent" ? "client" : "agent", frame.id);
    const method = this.#asked.get(key);
    this.#asked.delete(key);
    return { by, kind, ...(method !== undefined && { method }), frame, label: `${by}: ${kind} of ${method ?? "?"}` };
  }
}

function broken(by: Side, frame: unknown): TranscriptEntry {
  return { by, kind: "broken", frame, label: `${by}: broken frame` };
}

/** Returns the key of a request of one side. Ids of different types differ. */
export function keyOf(by: Side, id: unknown): string {
  return `${by} ${typeof id} ${String(id)}`;
}
