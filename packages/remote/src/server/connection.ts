import {
  type Channel,
  type Message,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type Room,
  type RpcErrorObject,
  rpcErrorCode,
  textOf,
} from "@turnkit/transport";
import { createSerialiser, frameLimit, serialise } from "@turnkit/transport/channels";
import { CONNECTION_OVER, type TurnState } from "../wire/resumption.js";
import { sessionIdOf } from "../wire/session-scope.js";
import { asksPacked, asksResumption, withOffer, withoutQuestions } from "./hello.js";
import { Holdings, tooMuch } from "./holdings.js";
import type { ClientCall } from "./open-requests.js";
import type { EndCause, OutStream } from "./out-stream.js";
import type { OutStreams } from "./out-streams.js";
import { Pressure } from "./pressure.js";
import type { Settings } from "./settings.js";
import { TurnStates } from "./turn-states.js";

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
  /** Called once, at the end. */
  readonly ended: (connection: Connection) => void;
};

/** Longest message to a client, in characters. Clients close a connection at a longer message. */
const MAX_OUTGOING = frameLimit - 1_024;

const agentEnded: EndCause = { code: 1000, reason: "The agent ended the connection." };
const agentFailed: EndCause = { code: CONNECTION_OVER, reason: "The agent failed." };
const notAnswered: EndCause = { code: 1011, reason: "The agent did not answer initialize." };
const notRead: EndCause = { code: 1008, reason: "Its client did not read." };
const tooManySessions: EndCause = {
  code: 1008,
  reason: "Its agent used more sessions than the limit `sessions` allows.",
};
const notUsed: EndCause = { code: CONNECTION_OVER, reason: "No stream was open." };

/**
 * One connection of a client: its channel to an agent, and its streams. A stream may get several readers, one after the
 * other.
 */
export class Connection {
  readonly id: string;
  readonly owner: string;
  readonly isSocket: boolean;
  readonly holdings: Holdings;
  readonly streams: OutStreams;
  readonly states = new TurnStates();
  /** `true` if client and server have agreed on resumption. */
  isResumable = false;
  /** `true` if client and server have agreed on packed frames. */
  isPacked = false;
  /** Number of messages of the client that were received in order. */
  received = 0;
  readonly #channel: Channel;
  readonly #serialise = createSerialiser();
  readonly #settings: Settings;
  readonly #pressure: Pressure;
  readonly #ended: (connection: Connection) => void;
  #hello: { readonly id: RequestId; readonly answer: (answer: ResponseMessage | undefined) => void } | undefined;
  #isOver = false;
  #grace: ReturnType<typeof setTimeout> | undefined;

  constructor({ id, owner, channel, settings, isSocket, ended }: ConnectionParts) {
    this.id = id;
    this.owner = owner;
    this.isSocket = isSocket;
    this.#channel = channel;
    this.#settings = settings;
    this.#ended = ended;
    this.holdings = new Holdings(
      { owner, isSocket, settings },
      {
        taken: (stream) => this.#pressure.taken(stream),
        attached: () => clearTimeout(this.#grace),
        detached: () => this.touch(),
        full: () => this.#fail(tooMuch),
      },
    );
    const { streams } = this.holdings;
    this.streams = streams;
    this.#pressure = new Pressure({ channel, streams }, settings.limits, (stream) => this.#stalled(stream));
    void channel.closed.then(({ kind }) => this.end(kind === "remote" || kind === "local" ? agentEnded : agentFailed));
    channel.start({
      message: (message) => this.#fromAgent(message as Message),
      invalidLine(_, excess) {
        const fault = excess === undefined ? "is not JSON" : `was not parsed: ${excess}`;
        settings.report({ code: "invalid_line", message: `The agent sent a line that ${fault}.` });
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Restarts the grace time, unless a stream is open. */
  // REM-24, REM-44
  touch(): void {
    clearTimeout(this.#grace);
    if (this.#isOver || this.streams.hasReader) return;
    this.#grace = setTimeout(() => this.end(notUsed), this.#settings.graceMs);
  }

  /** Sends `initialize` to the agent. `answer` is called at receipt of the answer, or with `undefined` at the end. */
  initialize(
    { message, size }: { readonly message: RequestMessage; readonly size: number },
    answer: (answer: ResponseMessage | undefined) => void,
  ): void {
    const over = this.holdings.hold(size);
    const { retention, limits } = this.#settings;
    if (retention !== undefined && asksResumption(message)) {
      this.isResumable = true;
      this.streams.retain(retention);
    }
    const late = setTimeout(() => this.end(notAnswered), limits.initializeMs);
    this.#hello = {
      id: message.id,
      answer: (given) => {
        this.#hello = undefined;
        over();
        clearTimeout(late);
        const isPacked = this.isResumable && asksPacked(message);
        this.isPacked = isPacked && given !== undefined && "result" in given;
        const connectionId = this.isSocket ? this.id : undefined;
        answer(
          this.isResumable && retention && given ? withOffer(given, { retention, connectionId, isPacked }) : given,
        );
        this.touch();
      },
    };
    void this.#pass(withoutQuestions(message));
  }

  /** Passes a message of the client to the agent. Returns a promise of room if the agent does not keep up. */
  receive(call: ClientCall): Room {
    this.touch();
    const { requests } = this.holdings;
    if (this.#isOver || requests.isRepeated(call)) return undefined;
    const over = this.holdings.hold(call.size);
    const isRequest = requests.add(call, over, this.isResumable);
    // At the bound of the principal, this connection may have ended.
    const room = this.#isOver ? undefined : this.#pass(call.message);
    if (isRequest) return room;
    if (room === undefined) over();
    else void room.then(over);
    return room;
  }

  /** Sends a message to the agent. A request that cannot be sent is answered as if the agent refused it. */
  #pass(message: Message): Room {
    try {
      return this.#channel.send(message);
    } catch (error) {
      // A channel may have a smaller bound than this server, and a number may become longer when it is written.
      const refusal = {
        code: rpcErrorCode.internalError,
        message: `The agent did not get the message: ${textOf(error)}`,
      };
      if ("method" in message && "id" in message) this.#fromAgent({ jsonrpc: "2.0", id: message.id, error: refusal });
      else this.#settings.report({ code: "dropped", message: "The agent did not get a message of a client.", error });
      return undefined;
    }
  }

  /** Answers a message of the client with an error. Ends the connection if the client does not read answers. */
  refuse(id: RequestId, error: RpcErrorObject): void {
    const { unread } = this.streams.connection.log;
    if (unread > this.#settings.limits.streamCharacters) return this.#fail(notRead);
    this.push({ jsonrpc: "2.0", id, error }, undefined);
  }

  /**
   * Sends a message of the server itself, or of the agent, on the stream of a session. `agrees` marks the answer that
   * agrees on packed frames.
   */
  push(message: Message, sessionId: string | undefined, agrees = false): void {
    const stream = this.streams.of(sessionId);
    if (stream === undefined) return this.#fail(tooManySessions);
    let text: string;
    try {
      text = this.#serialise(message);
      if (text.length > MAX_OUTGOING)
        throw new Error(`it has ${text.length} characters, and ${MAX_OUTGOING} is the most`);
    } catch (error) {
      return this.#unsendable(message, stream, textOf(error).replace(/\.$/, ""));
    }
    const question = "method" in message && "id" in message ? { id: message.id } : undefined;
    if (stream.hasFailed) return this.#refuse(question);
    this.states.seen(message, text);
    stream.push({ text, hasMeta: "_meta" in message, question, agrees });
    this.#pressure.added(stream);
  }

  /**
   * Returns the advice about the turn of a session, or of any session. Returns `undefined` if a `state_update` contains
   * this information.
   */
  turnState(sessionId: string | undefined): TurnState | undefined {
    return this.states.texts(sessionId).length === 0 ? this.holdings.requests.turnState(sessionId) : undefined;
  }

  /** Ends the connection: its streams, and its channel to the agent. */
  end(cause: EndCause): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#grace);
    this.#pressure.stop();
    this.#hello?.answer(undefined);
    this.holdings.end(cause);
    void this.#channel.close();
    this.#ended(this);
  }

  #fromAgent(message: Message): void {
    if (this.#isOver) return;
    if (typeof message !== "object" || message === null || Array.isArray(message))
      return this.#settings.report({ code: "invalid_message", message: "The agent sent JSON that is not a message." });
    if ("method" in message) return this.push(message, sessionIdOf(message));
    if (this.#hello !== undefined && message.id === this.#hello.id) return this.#hello.answer(message);
    const { sessionId, closes } = this.holdings.requests.answered(message.id);
    this.push(message, sessionId);
    if (closes) this.streams.find(sessionId)?.log.seal();
  }

  /** States that a message of the agent could not be sent. */
  #unsendable(message: Message, stream: OutStream, why: string): void {
    const error = { code: rpcErrorCode.internalError, message: `The message could not be sent: ${why}.` };
    if (!("method" in message)) stream.push({ text: serialise({ jsonrpc: "2.0", id: message.id, error }) });
    else if ("id" in message) void this.#channel.send({ jsonrpc: "2.0", id: message.id, error });
    const report = { code: "dropped", message: `A message of the agent was not sent: ${why}.` } as const;
    this.#settings.report("method" in message ? { ...report, method: message.method } : report);
  }

  /** Fails a session's stream that nobody reads, or ends the connection if it is the stream of the connection. */
  // REM-23
  #stalled(stream: OutStream): void {
    if (stream.sessionId === undefined) return this.#fail(notRead);
    for (const { question } of stream.fail()) this.#refuse(question);
    const message = "Messages of a session were dropped: its client did not read. It has to restore the session.";
    this.#settings.report({ code: "dropped", message });
  }

  #refuse(question: { readonly id: unknown } | undefined): void {
    if (question === undefined) return;
    const error = {
      code: rpcErrorCode.internalError,
      message: "The client did not read the messages of this session.",
    };
    void this.#channel.send({ jsonrpc: "2.0", id: question.id as RequestId, error });
  }

  #fail(cause: EndCause): void {
    this.#settings.report({ code: "dropped", message: `A connection was ended. ${cause.reason}` });
    this.end(cause);
  }
}
