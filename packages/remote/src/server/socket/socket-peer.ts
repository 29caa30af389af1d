import { type Message, type RequestMessage, rpcErrorCode } from "@turnkit/transport";
import { serialise } from "@turnkit/transport/channels";
import { MAX_BODY_BYTES, MESSAGE_OVERHEAD } from "../../wire/limits.js";
import { CONNECTION_OVER, STREAM_RESUME, STREAM_RESUME_FAILED } from "../../wire/resumption.js";
import { isInitialize, sessionIdOf } from "../../wire/session-scope.js";
import type { Holding } from "../account.js";
import { fullText } from "../answers.js";
import type { Connection } from "../connection.js";
import { closing, connectionOver } from "../connections.js";
import type { EndCause } from "../out-stream.js";
import type { PlaybackForm } from "../playback.js";
import { type MessageFault, readMessage } from "../read-message.js";
import type { Principal } from "../server-options.js";
import type { ServerSocket, SocketListener } from "../server-socket.js";
import { Heartbeat } from "./heartbeat.js";
import type { PeerParts } from "./peer-parts.js";
import { findResumed, resumeResult } from "./resume.js";
import { SocketReader } from "./socket-reader.js";

/** Maximum number of frames that are not messages. Each is answered, so a flood of them would delay other clients. */
const MOST_INVALID = 1_000;

/** Reason for the end of a WebSocket at the bound for the sizes of a principal. */
const heldTooMuch: EndCause = { code: 1013, reason: "Its principal holds too much. Try again later." };

/** A client on a WebSocket: its first frame begins or continues a connection, the others are messages. */
// REM-18
export class SocketPeer<P extends Principal> implements SocketListener {
  readonly #socket: ServerSocket;
  readonly #parts: PeerParts<P>;
  readonly #heartbeat: Heartbeat;
  readonly #endWait: () => void;
  readonly #late: ReturnType<typeof setTimeout>;
  /** Number of frames that were not messages. */
  #invalid = 0;
  /**
   * Frames that wait for the agent. Their total size is at most the default bound of one frame. Absent before the first
   * frame.
   */
  #early: string[] | undefined;
  #earlySize = 0;
  readonly #held: Holding;
  #connection: Connection | undefined;
  #reader: SocketReader | undefined;
  #isOver = false;
  #hasReported = false;

  constructor(socket: ServerSocket, parts: PeerParts<P>) {
    this.#socket = socket;
    this.#parts = parts;
    const { id, isResume, connections, principal, settings } = parts;
    this.#heartbeat = new Heartbeat(socket, settings);
    this.#held = settings.held.hold(principal.id, () => this.#close(heldTooMuch));
    const waiting = { close: (cause: EndCause) => this.#close(cause) };
    // Other upgrades may have taken the places since this one was accepted.
    const full = isResume ? undefined : connections.waitingFull(principal);
    this.#endWait = isResume ? connections.waitToResume(waiting, id) : connections.wait(waiting, principal);
    const cause = { code: 1008, reason: "No first message arrived." };
    this.#late = setTimeout(() => this.#close(cause), settings.limits.initializeMs);
    if (connections.isClosed) this.#close(closing);
    else if (full !== undefined) this.#close({ code: 1013, reason: fullText[full] });
    // The connection may have ended since the upgrade was accepted.
    else if (isResume && connections.find(id, principal) === undefined) this.#close(connectionOver);
  }

  text(text: string): void {
    this.#heartbeat.alive();
    if (this.#isOver) return;
    try {
      this.#take(text);
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(text: string): void {
    const { bodyBytes } = this.#parts.settings.limits;
    if (text.length > bodyBytes)
      return this.#close({ code: 1009, reason: `A frame has more than ${bodyBytes} characters.` });
    if (this.#connection !== undefined) return this.#receive(text, this.#connection);
    if (this.#early === undefined) return this.#first(readMessage(text) as Message, text.length);
    this.#early.push(text);
    this.#hold(text.length + MESSAGE_OVERHEAD);
    this.#earlySize += text.length + MESSAGE_OVERHEAD;
    if (this.#earlySize > MAX_BODY_BYTES)
      this.#close({ code: 1008, reason: "Too much arrived before the agent was opened." });
  }

  binary(): void {
    this.#heartbeat.alive();
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#parts.settings.report({ code: "invalid_message", message: "Binary frames of a client are ignored." });
  }

  pong(): void {
    this.#heartbeat.alive();
  }

  drained(): void {
    this.#reader?.wake();
  }

  // REM-16, REM-44
  closed(code: number): void {
    const connection = this.#connection;
    const reader = this.#reader;
    this.#stop();
    if (connection === undefined || reader === undefined || !connection.streams.connection.isRead(reader)) return;
    connection.streams.connection.detach(reader);
    const isMeant = code === 1000 || !connection.isResumable;
    if (isMeant) connection.end({ code, reason: "The client closed the WebSocket." });
  }

  #first(message: Message, size: number): void {
    this.#early = [];
    clearTimeout(this.#late);
    if (isInitialize(message) && !this.#parts.isResume) this.#begin(message, size).catch((error) => this.#fail(error));
    else if ("method" in message && message.method === STREAM_RESUME && "id" in message) this.#resume(message);
    else this.#close({ code: 1002, reason: "The first message is not initialize." });
  }

  async #begin(message: RequestMessage, size: number): Promise<void> {
    const { id, principal, connections } = this.#parts;
    this.#endWait();
    this.#hold(size);
    const connection = await connections.open(id, principal, true);
    if (typeof connection === "string") return this.#close({ code: 1013, reason: fullText[connection] });
    if (connection === undefined) return this.#close({ code: 1011, reason: "The agent could not be started." });
    if (this.#isOver) return connection.end({ code: 1001, reason: "The client has gone." });
    connection.received = 1;
    // From now on, the connection counts this frame.
    this.#held.end();
    connection.initialize({ message, size }, (answer) => {
      if (answer !== undefined) connection.push(answer, undefined, connection.isPacked);
    });
    this.#use(connection, { isPacked: false });
  }

  // REM-41, REM-52
  #resume({ id, params }: RequestMessage): void {
    const found = findResumed(params, this.#parts);
    if ("reason" in found) {
      this.#send({ jsonrpc: "2.0", method: STREAM_RESUME_FAILED, params: found });
      return this.#close({ code: CONNECTION_OVER, reason: "The connection cannot be continued." });
    }
    const { connection } = found;
    this.#endWait();
    this.#send({ jsonrpc: "2.0", id, result: resumeResult(connection) });
    this.#use(connection, { isPacked: connection.isPacked, afterReplay: connection.states.texts(undefined) });
  }

  /** Begins to read and write the messages of a connection. */
  #use(connection: Connection, form: Omit<PlaybackForm, "hasCursors">): void {
    this.#connection = connection;
    this.#reader = new SocketReader(this.#socket, connection, { ...form, over: () => this.#stop() });
    for (const text of this.#early?.splice(0) ?? []) if (!this.#isOver) this.#receive(text, connection);
  }

  #receive(text: string, connection: Connection): void {
    connection.received += 1;
    const message = readMessage(text);
    const { invalidRequest, internalError } = rpcErrorCode;
    if ("fault" in message) return this.#refuse(message, connection);
    // REM-25
    if (isInitialize(message))
      return connection.refuse(message.id, {
        code: invalidRequest,
        message: "This connection was initialized before.",
      });
    const call = { message, sessionId: sessionIdOf(message), size: text.length };
    const { requests } = connection.holdings;
    if ("method" in message && "id" in message && !requests.isRepeated(call)) {
      if (requests.isInUse(call))
        return connection.refuse(null, { code: invalidRequest, message: "The id of the request is in use." });
      if (!connection.holdings.hasRoom(call))
        return connection.refuse(message.id, {
          code: internalError,
          message: "Requests without an answer are too many or too large. Wait for answers, and send it again.",
        });
    }
    const room = connection.receive(call);
    if (room === undefined || this.#socket.pause === undefined) return;
    this.#socket.pause();
    void room.then(() => this.#socket.resume?.());
  }

  /** Answers a frame that is not a message. A client that sends many of them is cut off. */
  #refuse({ fault, code }: MessageFault, connection: Connection): void {
    this.#invalid += 1;
    if (this.#invalid <= MOST_INVALID) return connection.refuse(null, { code, message: fault });
    this.#close({ code: 1008, reason: "Too many frames were no messages." });
    connection.end({ code: 1008, reason: "Too many frames of the client were no messages." });
  }

  /** Counts the frames that wait for the agent. At the bound of the principal, its largest WebSocket is closed. */
  #hold(size: number): void {
    const { held } = this.#parts.settings;
    const full = held.refusal(this.#parts.principal.id, size);
    if (full === undefined) this.#held.add(size);
    else this.#close(heldTooMuch);
  }

  /**
   * Closes the WebSocket after an exception. Otherwise the exception would reach the runtime and could end the program.
   */
  #fail(error: unknown): void {
    this.#parts.settings.report({ code: "handler_failed", message: "A frame of a client failed.", error });
    this.#close({ code: 1011, reason: "The frame failed." });
  }

  #send(message: Message): void {
    this.#socket.send(serialise(message));
  }

  #close({ code, reason }: EndCause): void {
    if (this.#isOver) return;
    this.#stop();
    this.#socket.close(code, reason);
  }

  #stop(): void {
    this.#isOver = true;
    this.#held.end();
    this.#early = [];
    this.#endWait();
    clearTimeout(this.#late);
    this.#heartbeat.stop();
    this.#reader?.stop();
  }
}
