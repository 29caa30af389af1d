import { type Channel, checkChannel, textOf, withinGrace } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { CONNECTION_OVER } from "../wire/resumption.js";
import { Account, type Full } from "./account.js";
import { Connection } from "./connection.js";
import type { EndCause } from "./out-stream.js";
import type { Principal, RemoteServerOptions } from "./server-options.js";
import type { Settings } from "./settings.js";

/** Interval at which messages that are too old are dropped, in milliseconds. */
const SWEEP_MS = 30_000;

/** Cause of the end of everything that is open at {@link Connections.close}. */
export const closing: EndCause = { code: 1001, reason: "The server is closing." };

/** Cause of the end of a WebSocket that waits to resume, when a newer one waits for the same connection. A client may try again. */
const tookOver: EndCause = { code: 1013, reason: "Another WebSocket resumes the connection." };

/** Cause of the end of a WebSocket that waits to resume a connection that is over. */
export const connectionOver: EndCause = { code: CONNECTION_OVER, reason: "The connection is over." };

/** An open WebSocket that has sent no first frame. */
export type WaitingSocket = { readonly close: (cause: EndCause) => void };

/** All connections of a server, by id. */
export class Connections<P extends Principal> {
  /** `true` after {@link close}. */
  isClosed = false;
  readonly #options: RemoteServerOptions<P>;
  readonly #settings: Settings;
  readonly #byId = new Map<string, Connection>();
  /** Ends of all agents that have not ended, including ended connections. */
  readonly #agents = new Set<Promise<unknown>>();
  /** WebSockets without a first frame that have named no connection. */
  readonly #waiting = new Set<WaitingSocket>();
  /** WebSockets without a first frame that have named a connection, by its id: one for each connection. */
  readonly #resuming = new Map<string, WaitingSocket>();
  /** Places of connections, also of those whose channel is being opened. */
  readonly #places: Account;
  /**
   * Places of {@link #waiting}. They are counted separately, so that a full server can still resume its connections.
   */
  readonly #waitingPlaces: Account;
  #sweeping: ReturnType<typeof setInterval> | undefined;

  constructor(options: RemoteServerOptions<P>, settings: Settings) {
    this.#options = options;
    this.#settings = settings;
    const { connections: all, connectionsOfPrincipal } = settings.limits;
    const limits = { all, each: settings.hasPrincipals ? connectionsOfPrincipal : all };
    this.#places = new Account(limits);
    this.#waitingPlaces = new Account(limits);
  }

  /** Returns the bound that another waiting WebSocket of a principal would exceed, or `undefined`. */
  waitingFull(principal: P): Full | undefined {
    return this.#waitingPlaces.full(principal.id);
  }

  /** Counts a WebSocket that has named no connection as waiting. Returns the function that ends its wait. */
  wait(socket: WaitingSocket, principal: P): () => void {
    this.#waiting.add(socket);
    const place = this.#waitingPlaces.hold(principal.id);
    place.add(1);
    return () => {
      this.#waiting.delete(socket);
      place.end();
    };
  }

  /**
   * Adds a waiting WebSocket that has named a connection. It takes no place. It closes another WebSocket that waits for
   * the same connection. Returns the function that ends its wait.
   */
  waitToResume(socket: WaitingSocket, id: string): () => void {
    const older = this.#resuming.get(id);
    this.#resuming.set(id, socket);
    older?.close(tookOver);
    return () => {
      if (this.#resuming.get(id) === socket) this.#resuming.delete(id);
    };
  }

  /** Returns the connection with this id, if it belongs to the principal. */
  // REM-20
  find(id: string, principal: P): Connection | undefined {
    const connection = this.#byId.get(id);
    return connection?.owner === principal.id ? connection : undefined;
  }

  /**
   * Opens a channel to an agent, and a connection over it. Returns the bound that is reached, or `undefined` if the
   * channel cannot be opened.
   */
  async open(id: string, principal: P, isSocket: boolean): Promise<Connection | Full | undefined> {
    const full = this.#places.full(principal.id);
    if (full !== undefined) return full;
    const place = this.#places.hold(principal.id);
    place.add(1);
    try {
      const channel = await this.#openChannel(principal);
      if (this.isClosed) {
        place.end();
        void channel.close();
        return undefined;
      }
      const settings = this.#settings;
      const ended = () => {
        place.end();
        this.#remove(id);
      };
      const connection = new Connection({ id, owner: principal.id, channel, settings, isSocket, ended });
      this.#byId.set(id, connection);
      this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS);
      return connection;
    } catch (error) {
      place.end();
      this.#settings.report({ code: "handler_failed", message: `No agent could be opened: ${textOf(error)}`, error });
      return undefined;
    }
  }

  /** Ends all connections. Settles when their agents have ended, or after `closeMs`. */
  // REM-54
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { close } of [...this.#waiting, ...this.#resuming.values()]) close(closing);
    for (const connection of [...this.#byId.values()]) connection.end(closing);
    const { closeMs } = this.#settings.limits;
    if (await withinGrace(Promise.all(this.#agents), closeMs)) return;
    const count = this.#agents.size === 1 ? "1 agent" : `${this.#agents.size} agents`;
    this.#settings.report({
      code: "handler_failed",
      message: `${count} did not end within ${closeMs} ms after close.`,
    });
  }

  #remove(id: string): void {
    this.#byId.delete(id);
    this.#resuming.get(id)?.close(connectionOver);
    if (this.#byId.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #sweep(): void {
    const now = Date.now();
    for (const { streams } of this.#byId.values()) streams.sweep(now);
  }

  async #openChannel(principal: P): Promise<Channel> {
    const { agent, open } = this.#options;
    if (agent === undefined) {
      const { initializeMs } = this.#settings.limits;
      const opening = Promise.resolve(open(principal));
      if (!(await withinGrace(opening, initializeMs))) {
        opening.then((channel) => channel.close()).catch(() => {});
        throw new Error(`open did not settle within ${initializeMs} ms.`);
      }
      const channel = await opening;
      checkChannel("createRemoteServer open", channel, "return a channel, such as await spawnChannel(command)");
      this.#track(channel.closed);
      return channel;
    }
    const [channel, far] = createMemoryPair();
    this.#track(agent.serve(far).closed);
    return channel;
  }

  #track(closed: Promise<unknown>): void {
    this.#agents.add(closed);
    void closed.then(() => this.#agents.delete(closed));
  }
}
