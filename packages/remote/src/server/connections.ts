import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { Connection } from "./connection.js";
import type { Principal, RemoteServerOptions } from "./server-options.js";
import type { Settings } from "./settings.js";

/** All connections of a server, by id. */
export class Connections<P extends Principal> {
  readonly #options: RemoteServerOptions<P>;
  readonly #settings: Settings;
  readonly #byId = new Map<string, Connection>();
  /** Number of connections whose channel is being opened. */
  #opening = 0;

  constructor(options: RemoteServerOptions<P>, settings: Settings) {
    this.#options = options;
    this.#settings = settings;
  }

  get isFull(): boolean {
    return this.#byId.size + this.#opening >= this.#settings.limits.connections;
  }

  /** Returns the connection with this id, if it belongs to the principal. */
  // REM-20
  find(id: string, principal: P): Connection | undefined {
    const connection = this.#byId.get(id);
    return connection?.owner === principal.id ? connection : undefined;
  }

  /** Opens a channel to an agent, and a connection over it. Rejects if the channel cannot be opened. */
  async open(id: string, principal: P, isSocket: boolean): Promise<Connection> {
    this.#opening += 1;
    try {
      const { channel, closed } = await this.#openChannel(principal);
      const connection = new Connection({
        id,
        owner: principal.id,
        channel,
        settings: this.#settings,
        isSocket,
        ended: () => this.#byId.delete(id),
        closed,
      });
      if (!connection.isOver) this.#byId.set(id, connection);
      return connection;
    } finally {
      this.#opening -= 1;
    }
  }

  /** Ends all connections. Settles when their agents have ended. */
  async close(): Promise<void> {
    const all = [...this.#byId.values()];
    for (const connection of all) connection.end();
    await Promise.all(all.map(({ closed }) => closed));
  }

  async #openChannel(principal: P): Promise<{ readonly channel: Channel; readonly closed: Promise<unknown> }> {
    const { agent, open } = this.#options;
    if (agent === undefined) {
      const channel = await open(principal);
      return { channel, closed: channel.closed };
    }
    const [channel, far] = createMemoryPair();
    return { channel, closed: agent.serve(far).closed };
  }
}
