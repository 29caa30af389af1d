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
import { frameLimit, serialise } from "@turnkit/transport/channels";
import { CONNECTION_OVER, type TurnState } from "../wire/resumption.js";
import { sessionIdOf } from "../wire/session-scope.js";
import type { Holding } from "./account.js";
import { asksResumption, withOffer, withoutQuestion } from "./hello.js";
import { type ClientCall, OpenRequests } from "./open-requests.js";
import type { EndCause, OutStream } from "./out-stream.js";
import { OutStreams } from "./out-streams.js";
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

/** Longest message to a client, in characters. Clients close a connection that brings a longer one. */
const MAX_OUTGOING = frameLimit - 1_024;

const agentEnded: EndCause = { code: 1000, reason: "The agent ended the connection." };
const agentFailed: EndCause = { code: CONNECTION_OVER, reason: "The agent failed." };
const notAnswered: EndCause = { code: 1011, reason: "The agent did not answer initialize." };
/** Cause of the end of a connection at a bound of what principals hold. */
export const tooMuch: EndCause = { code: 1008, reason: "Its principal held too much.", isCut: true };

const notUsed: EndCause = { code: CONNECTION_OVER, reason: "No stream was open." };

/** One connection of a client: its channel to an agent, and its streams. Readers come and go. */
export class Connection {
  readonly id: string;
  readonly owner: string;
  readonly isSocket: boolean;
  readonly streams: OutStreams;
  readonly states = new TurnStates();
  readonly requests = new OpenRequests();
  /** `true` if client and server have agreed on resumption. */
  isResumable = false;
  /** Number of messages of the client that were received in order. */
  received = 0;
  readonly #channel: Channel;
  readonly #settings: Settings;
  readonly #pressure: Pressure;
  /** Size of the messages that this connection holds, to both sides. */
  readonly #holding: Holding;
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
    const { limits } = settings;
    this.#holding = settings.held.hold(owner, () => this.#giveUp());
    this.streams = new OutStreams(
      { isSingle: isSocket, limit: limits.sessions },
      {
        taken: (stream) => this.#pressure.taken(stream),
        writes: (by) => this.#holding.add(by),
        attached: () => clearTimeout(this.#grace),
        detached: () => this.touch(),
      },
    );
    this.#pressure = new Pressure({ channel, streams: this.streams }, limits, (stream) => this.#stalled(stream));
    void channel.closed.then(({ kind }) => this.end(kind === "remote" || kind === "local" ? agentEnded : agentFailed));
    channel.start({
      message: (message) => this.#fromAgent(message as Message),
      invalidLine: () => settings.report({ code: "invalid_line", message: "The agent sent a line that is no JSON." }),
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Starts the grace anew, unless a stream is open. */
  // REM-24, REM-44
  touch(): void {
    clearTimeout(this.#grace);
    // Its last reader still had messages to write.
    if (this.#isOver && !this.streams.hasReader) this.#holding.end();
    if (this.#isOver || this.streams.hasReader) return;
    this.#grace = setTimeout(() => this.end(notUsed), this.#settings.graceMs);
  }

  /** Sends `initialize` to the agent. `answer` is called at receipt of the answer, or with `undefined` at the end. */
  initialize(
    { message, size }: { readonly message: RequestMessage; readonly size: number },
    answer: (answer: ResponseMessage | undefined) => void,
  ): void {
    this.#holding.add(size);
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
        this.#holding.add(-size);
        clearTimeout(late);
        const connectionId = this.isSocket ? this.id : undefined;
        answer(this.isResumable && retention && given ? withOffer(given, retention, connectionId) : given);
        this.touch();
      },
    };
    void this.#channel.send(withoutQuestion(message));
  }

  /** Passes a message of the client to the agent. Returns a promise of room if the agent does not keep up. */
  receive(call: ClientCall): Room {
    this.touch();
    if (this.#isOver || this.requests.isRepeated(call)) return undefined;
    const isRequest = this.requests.add(call, this.isResumable);
    const { message, size } = call;
    this.#holding.add(size);
    try {
      // At the bound of the principal, this connection may have ended.
      const room = this.#isOver ? undefined : this.#channel.send(message);
      if (isRequest) return room;
      if (room === undefined) this.#holding.add(-size);
      else void room.then(() => this.#holding.add(-size));
      return room;
    } catch (error) {
      // A channel of a process may take less than this server.
      const refusal = {
        code: rpcErrorCode.internalError,
        message: `The agent did not get the message: ${textOf(error)}`,
      };
      if ("method" in message && "id" in message) this.#answer(message.id, refusal);
      else this.#settings.report({ code: "dropped", message: "The agent did not get a message of a client.", error });
      return undefined;
    }
  }

  /** Returns `true` if a request fits into the bounds of open requests, and of all that its principal holds. */
  hasRoom({ size }: ClientCall): boolean {
    const { openRequests, requestCharacters } = this.#settings.limits;
    const { count, characters } = this.requests;
    if (count >= openRequests || characters + size > requestCharacters) return false;
    return this.#settings.held.refusal(this.owner, size) === undefined;
  }

  /** Answers a message of the client with an error. Ends the connection if the client does not read answers. */
  refuse(id: RequestId, error: RpcErrorObject): void {
    const { unread } = this.streams.connection.log;
    if (unread > this.#settings.limits.streamCharacters) return this.#fail("Its client did not read.");
    this.push({ jsonrpc: "2.0", id, error }, undefined);
  }

  /** Sends a message of the server itself, or of the agent, on the stream of a session. */
  push(message: Message, sessionId: string | undefined): void {
    const stream = this.streams.of(sessionId);
    if (stream === undefined) return this.#fail("Its agent used more sessions than the limit `sessions` allows.");
    let text: string;
    try {
      text = serialise(message);
      if (text.length > MAX_OUTGOING)
        throw new Error(`it has ${text.length} characters, and ${MAX_OUTGOING} is the most`);
    } catch (error) {
      return this.#unsendable(message, stream, textOf(error).replace(/\.$/, ""));
    }
    const question = "method" in message && "id" in message ? { id: message.id } : undefined;
    if (stream.hasFailed) return this.#refuse(question);
    this.states.seen(message, text);
    stream.push({ text, hasMeta: "_meta" in message, question });
    this.#pressure.added(stream);
  }

  /** Returns the advice about the turn of a session, or of any session. Returns `undefined` if a `state_update` says it. */
  turnState(sessionId: string | undefined): TurnState | undefined {
    return this.states.texts(sessionId).length === 0 ? this.requests.turnState(sessionId) : undefined;
  }

  /** Ends the connection: its streams, and its channel to the agent. */
  end(cause: EndCause): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#grace);
    this.#pressure.stop();
    this.#hello?.answer(undefined);
    this.streams.end(cause);
    void this.#channel.close();
    if (!this.streams.hasReader) this.#holding.end();
    this.#ended(this);
  }

  #fromAgent(message: Message): void {
    if (this.#isOver) return;
    if (typeof message !== "object" || message === null || Array.isArray(message))
      return this.#settings.report({ code: "invalid_message", message: "The agent sent JSON that is no message." });
    if ("method" in message) return this.push(message, sessionIdOf(message));
    if (this.#hello !== undefined && message.id === this.#hello.id) return this.#hello.answer(message);
    const { sessionId, closes } = this.#answered(message.id);
    this.push(message, sessionId);
    if (closes) this.streams.find(sessionId)?.log.seal();
  }

  /** Answers an open request of the client with an error. */
  #answer(id: RequestId, error: RpcErrorObject): void {
    this.push({ jsonrpc: "2.0", id, error }, this.#answered(id).sessionId);
  }

  #answered(id: RequestId): ReturnType<OpenRequests["answered"]> {
    const before = this.requests.characters;
    const answered = this.requests.answered(id);
    this.#holding.add(this.requests.characters - before);
    return answered;
  }

  /** At a bound of what is held: gives up what is kept for a resume, or if that is nothing, everything. */
  // REM-23
  #giveUp(): void {
    if (this.streams.dropTaken()) return;
    this.#settings.report({ code: "dropped", message: `A connection was ended. ${tooMuch.reason}` });
    if (this.#isOver) this.streams.end(tooMuch);
    else this.end(tooMuch);
    this.#holding.end();
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
    if (stream.sessionId === undefined) return this.#fail("Its client did not read.");
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

  #fail(why: string): void {
    this.#settings.report({ code: "dropped", message: `A connection was ended. ${why}` });
    this.end({ code: 1008, reason: why });
  }
}
