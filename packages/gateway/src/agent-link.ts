import { Deferred } from "@turnkit/agent/driver";
import { type Client, connect, createElicitations } from "@turnkit/client";
import { RpcError, textOf } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";
import { authorFiles } from "./author-files.js";
import type { Settings } from "./gateway-options.js";

const info = { name: "turnkit-gateway", version: "1.0.0" };

/** One attempt to open the agent, and its result. */
type Opening = {
  readonly client: Promise<Client>;
  /** True once the agent has answered. */
  isOpen: boolean;
  /** Closes the channel, even if it is opened later. */
  readonly stop: () => void;
};

/**
 * Connection to the agent of one group. It is opened on first use, and again on the first use after the end of the
 * agent.
 */
export class AgentLink {
  readonly #group: string;
  readonly #settings: Settings;
  readonly #authorOf: (sessionId: string) => Attachment | undefined;
  #opening: Opening | undefined;
  /** Settles when all released agents have ended. */
  #ended: Promise<unknown> | undefined;
  #isClosed = false;

  /** @param authorOf returns the attachment that sent the running prompt of a session */
  constructor(group: string, settings: Settings, authorOf: (sessionId: string) => Attachment | undefined) {
    this.#group = group;
    this.#settings = settings;
    this.#authorOf = authorOf;
  }

  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /**
   * Returns the client of the agent.
   *
   * @throws RpcError `-32603` if the agent does not start
   */
  async client(): Promise<Client> {
    if (this.#isClosed) throw RpcError.internalError("the gateway is closed");
    this.#opening ??= this.#open();
    return this.#opening.client;
  }

  #open(): Opening {
    const stopped = new Deferred<void>();
    const forget = () => {
      // Another agent may have been opened in the meantime.
      if (this.#opening === opening) this.#opening = undefined;
    };
    const opening: Opening = {
      isOpen: false,
      stop: () => stopped.resolve(),
      client: this.#connect(stopped, forget).then(
        (client) => {
          opening.isOpen = true;
          return client;
        },
        (error: unknown) => {
          forget();
          const message = `The agent of a gateway could not be opened: ${textOf(error)}`;
          if (!stopped.isSettled) this.#settings.report({ code: "connection_lost", message, error });
          throw RpcError.internalError(`the agent could not be opened: ${textOf(error)}`);
        },
      ),
    };
    return opening;
  }

  async #connect(stopped: Deferred<void>, ended: () => void): Promise<Client> {
    const { options, report, limits } = this.#settings;
    const coming = Promise.resolve(options.agent(this.#group));
    Promise.all([coming, stopped.promise])
      .then(([channel]) => channel.close())
      .catch(() => undefined);
    const over = stopped.promise.then((): never => {
      throw new Error("the gateway is closed");
    });
    const channel = await Promise.race([coming, over]);
    // `closed` of the client also waits for listeners.
    void channel.closed.then(ended);
    return connect(channel, {
      info,
      permissions: () => "wait",
      elicitations: createElicitations({ form: () => "wait", url: () => "wait" }),
      ...(options.files && { files: authorFiles(options.files, this.#authorOf) }),
      ...(options.terminals && { terminals: options.terminals }),
      limits: { stateBytes: limits.stateBytes },
      onDiagnostic: report,
    });
  }

  /**
   * Ends the agent. Settles when this agent and all earlier ones have ended. A later call of {@link client} opens another
   * one, unless the gateway is closed.
   */
  async release(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    if (opening?.isOpen === false) opening.stop();
    const end = async () => (await opening?.client.catch(() => undefined))?.close();
    this.#ended = Promise.all([this.#ended, end()]);
    await this.#ended;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.release();
  }
}
