import type { Message, RequestId } from "@turnkit/transport";
import { dropOldest } from "@turnkit/transport";
import type { TurnState } from "../wire/resumption.js";
import { isAnsweredOnConnection, isEnd } from "../wire/session-scope.js";

/** Maximum number of prompts whose ids are remembered after their answers. The oldest are removed first. */
const MAX_REMEMBERED = 1_000;

/** Call of the client, and the session that it names. */
export type ClientCall = {
  readonly message: Message;
  readonly sessionId: string | undefined;
  /** Number of characters. */
  readonly size: number;
};

type OpenRequest = {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly size: number;
  readonly over: () => void;
};

/** Requests of the client that the agent has not answered. They decide the stream of each answer. */
// REM-13
export class OpenRequests {
  #characters = 0;
  readonly #open = new Map<RequestId, OpenRequest>();
  /** Ids of prompts, open or answered, on a resumable connection. */
  readonly #prompts = new Set<RequestId>();

  get count(): number {
    return this.#open.size;
  }

  /** Size of all open requests together. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Records the message if it is a request, and returns `true` in this case. `over` is called at its answer.
   * `remembers` also stores the id of a prompt after its answer.
   */
  add({ message, sessionId, size }: ClientCall, over: () => void, remembers: boolean): boolean {
    if (!("method" in message) || !("id" in message)) return false;
    const { id, method } = message;
    this.#open.set(id, { method, sessionId, size, over });
    this.#characters += size;
    if (!remembers || method !== "session/prompt") return true;
    this.#prompts.add(id);
    dropOldest(this.#prompts, MAX_REMEMBERED);
    return true;
  }

  /** Returns `true` if this prompt was sent before: it must not run twice. */
  // REM-49
  isRepeated({ message, sessionId }: ClientCall): boolean {
    if (!("method" in message) || !("id" in message) || message.method !== "session/prompt") return false;
    const open = this.#open.get(message.id);
    return this.#prompts.has(message.id) || (open?.method === message.method && open.sessionId === sessionId);
  }

  /** Returns `true` if another request with this id has no answer. */
  isInUse({ message }: ClientCall): boolean {
    return "method" in message && "id" in message && this.#open.has(message.id);
  }

  /**
   * Removes the request that is answered. Returns the session whose stream carries the answer, or `undefined` for the
   * stream of the connection. `closes` is true after the end of the session.
   */
  answered(id: RequestId): { readonly sessionId: string | undefined; readonly closes: boolean } {
    const request = this.#open.get(id);
    this.#open.delete(id);
    this.#characters -= request?.size ?? 0;
    request?.over();
    if (request === undefined || isAnsweredOnConnection(request.method)) return { sessionId: undefined, closes: false };
    return { sessionId: request.sessionId, closes: isEnd(request.method) };
  }

  /** Returns the advice about the open prompt of a session, or of any session. */
  // REM-46
  turnState(sessionId: string | undefined): TurnState {
    for (const [id, request] of this.#open) {
      if (request.method !== "session/prompt" || (sessionId ?? request.sessionId) !== request.sessionId) continue;
      return { state: "running", ...((typeof id === "string" || typeof id === "number") && { promptRequestId: id }) };
    }
    return { state: "idle" };
  }
}
