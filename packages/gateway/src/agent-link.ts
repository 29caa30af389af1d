import { type Client, connect, createElicitations } from "@turnkit/client";
import { RpcError, textOf } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";
import { authorFiles } from "./author-files.js";
import type { Settings } from "./gateway-options.js";

const info = { name: "turnkit-gateway", version: "1.0.0" };

/** Connection to the agent of one group. It is opened when it is needed, and again after the agent has ended. */
export class AgentLink {
  readonly #group: string;
  readonly #settings: Settings;
  readonly #authorOf: (sessionId: string) => Attachment | undefined;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** @param authorOf returns the attachment that sent the running prompt of a session */
  constructor(group: string, settings: Settings, authorOf: (sessionId: string) => Attachment | undefined) {
    this.#group = group;
    this.#settings = settings;
    this.#authorOf = authorOf;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Returns the client of the agent.
   *
   * @throws RpcError `-32603` if the agent does not start
   */
  client(): Promise<Client> {
    if (this.#isClosed) throw RpcError.internalError("the gateway is closed");
    this.#client ??= this.#open();
    return this.#client;
  }

  async #open(): Promise<Client> {
    const { options, report, limits } = this.#settings;
    try {
      const channel = await options.agent(this.#group);
      // Not when the client has closed: that waits for its listeners.
      void channel.closed.then(() => {
        this.#client = undefined;
      });
      return await connect(channel, {
        info,
        permissions: () => "wait",
        elicitations: createElicitations({ form: () => "wait", url: () => "wait" }),
        ...(options.files && { files: authorFiles(options.files, this.#authorOf) }),
        ...(options.terminals && { terminals: options.terminals }),
        limits: { stateBytes: limits.stateBytes },
        onDiagnostic: report,
      });
    } catch (error) {
      this.#client = undefined;
      const message = "The agent of a gateway could not be opened.";
      report({ code: "connection_lost", message, error });
      throw RpcError.internalError(`the agent could not be opened: ${textOf(error)}`);
    }
  }

  /** Ends the agent. A later call of {@link client} opens it again, unless the gateway is closed. */
  async release(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.release();
  }
}
