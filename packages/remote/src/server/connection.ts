import {
  type Channel,
  type Message,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type Room,
  rpcErrorCode,
  textOf,
} from "@turnkit/transport";
import { serialise } from "@turnkit/transport/channels";
import { sessionIdOf } from "../wire/session-scope.js";
import { OpenRequests, streamOfAnswer } from "./open-requests.js";
import { OutStreams } from "./out-streams.js";
import type { Settings } from "./settings.js";

/** Parts that a connection is made of. */
export type ConnectionParts = {
  readonly id: string;
  /** Id of the principal. */
  readonly owner: string;
  /** Channel to the agent. */
  readonly channel: Channel;
  readonly settings: Settings;
  /** `true` for a WebSocket, which carries all streams. */
  readonly isSocket: boolean;
  /** Settles when the agent has ended. */
  readonly closed: Promise<unknown>;
  /** Called once, at the end. */
  readonly ended: (connection: Connection) => void;
};

/** One connection of a client: its channel to an agent, and its streams. Readers come and go. */
export class Connection {
  readonly id: string;
  readonly owner: string;
  readonly isSocket: boolean;
  readonly streams: OutStreams;
  /** Settles when the agent has ended. */
  readonly closed: Promise<unknown>;
  readonly #channel: Channel;
  readonly #settings: Settings;
  readonly #ended: (connection: Connection) => void;
  readonly #open = new OpenRequests();
  #hello: { readonly id: RequestId; readonly answer: (answer: ResponseMessage | undefined) => void } | undefined;
  #isOver = false;

  constructor({ id, owner, channel, settings, isSocket, closed, ended }: ConnectionParts) {
    this.id = id;
    this.owner = owner;
    this.isSocket = isSocket;
    this.#channel = channel;
    this.#settings = settings;
    this.#ended = ended;
    this.streams = new OutStreams(isSocket, { progress: () => {}, idle: () => {} });
    this.closed = closed;
    void channel.closed.then(() => this.end());
    channel.start({
      message: (message) => this.#fromAgent(message as Message),
      invalidLine: () => settings.report({ code: "invalid_line", message: "The agent sent a line that is no JSON." }),
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends `initialize` to the agent. `answer` is called at receipt of the answer, or with `undefined` at the end. */
  initialize(message: RequestMessage, answer: (answer: ResponseMessage | undefined) => void): void {
    this.#hello = { id: message.id, answer };
    void this.#channel.send(message);
  }

  /** Returns `true` if a request with this id has no answer yet. */
  isOpen(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Passes a message of the client to the agent. Returns a promise of room if the agent does not keep up. */
  receive(message: Message, sessionId: string | undefined): Room {
    if (this.#isOver) return undefined;
    if ("method" in message && "id" in message) this.#open.add(message.id, { method: message.method, sessionId });
    return this.#channel.send(message);
  }

  /** Ends the connection: its streams, and its channel to the agent. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hello?.answer(undefined);
    this.streams.end();
    void this.#channel.close();
    this.#ended(this);
  }

  #fromAgent(message: Message): void {
    if (this.#isOver) return;
    if ("method" in message) return this.#push(message, sessionIdOf(message));
    const hello = this.#hello;
    if (hello !== undefined && message.id === hello.id) {
      this.#hello = undefined;
      return hello.answer(message);
    }
    this.#push(message, streamOfAnswer(this.#open.answered(message.id)));
  }

  #push(message: Message, sessionId: string | undefined): void {
    const stream = this.streams.of(sessionId);
    try {
      const isQuestion = "method" in message && "id" in message;
      stream.push({ text: serialise(message), ...(isQuestion && { question: { id: message.id } }) });
    } catch (error) {
      this.#unsendable(message, textOf(error));
    }
  }

  /** States that a message of the agent could not be sent. */
  #unsendable(message: Message, why: string): void {
    const error = { code: rpcErrorCode.internalError, message: `The message could not be sent: ${why}` };
    if (!("method" in message))
      this.streams.connection.push({ text: serialise({ jsonrpc: "2.0", id: message.id, error }) });
    else if ("id" in message) void this.#channel.send({ jsonrpc: "2.0", id: message.id, error });
    else
      this.#settings.report({
        code: "dropped",
        message: `A notification was not sent: ${why}`,
        method: message.method,
      });
  }
}
