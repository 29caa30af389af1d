import { allDialects } from "@turnkit/agent";
import {
  type Calls,
  type ClientInfo,
  checkBlocks,
  checkWorkspace,
  createNegotiation,
  type Driver,
  type PromptReceipt,
  type Service,
} from "@turnkit/agent/driver";
import type { Peer } from "@turnkit/client";
import type { AgentCapabilities, SessionLists } from "@turnkit/session";
import type { Channel, CloseReason } from "@turnkit/transport";
import {
  type Connection,
  createConnection,
  type InboundCall,
  isAcpError,
  type Route,
  RpcError,
} from "@turnkit/transport";
import { AttachedSessions } from "./attached-sessions.js";
import type { Ending } from "./conversation.js";
import type { Settings } from "./gateway-options.js";
import type { Group } from "./group.js";
import { isObserver, mustControl, type Principal } from "./principal.js";
import type { SharedSession } from "./shared-session.js";

/** One connection of a client: its calls, by the role of its principal. */
export class ServedClient implements Service, AsyncDisposable {
  capabilities!: AgentCapabilities;
  readonly closed: Promise<CloseReason>;
  readonly #connection: Connection;
  readonly #group: Group;
  readonly #principal: Principal;
  readonly #settings: Settings;
  readonly #sessions: AttachedSessions;
  #driver: Driver | undefined;

  /** Messages of the client wait until the agent of its group is started. */
  constructor(channel: Channel, { group, principal, settings }: ServedParts) {
    this.#group = group;
    this.#principal = principal;
    this.#settings = settings;
    const connection = createConnection(channel, {
      invalidLines: "answer",
      nullIds: () => this.#driver?.dialect.nullIds ?? true,
      onDiagnostic: settings.report,
    });
    this.#connection = connection;
    const driver = () => this.#driver as Driver;
    this.#sessions = new AttachedSessions({ group, principal, connection, driver, giveUp: () => void this.close() });
    const release = connection.hold();
    void group.link
      .client()
      .then(({ peer }) => this.#begin(peer))
      .catch((error: unknown) => this.#refuse(error))
      .then(release);
    this.closed = connection.closed;
    void channel.closed.then(() => this.#sessions.leaveAll());
  }

  #begin(peer: Peer): void {
    this.capabilities = capabilitiesBehind(peer.capabilities);
    this.#connection.route = createNegotiation({
      connection: this.#connection,
      service: this,
      info: peer.info,
      // A login on a terminal would run on another machine than the agent.
      authMethods: peer.authMethods.filter(({ type }) => type === "agent"),
      dialects: allDialects,
      hasSessions: () => !this.#sessions.isEmpty,
      onLoss: () => undefined,
      agreed: (driver) => {
        this.#driver = driver;
      },
    });
  }

  #refuse(error: unknown): void {
    const receive = () => {
      throw error;
    };
    this.#connection.route = () => ({ receive });
  }

  readonly calls: Service["calls"] = {
    login: async ({ methodId }, call) => {
      this.#control("log in");
      const client = await this.#group.link.client();
      await client.login(methodId, call.signal);
      return {};
    },
    logout: async () => {
      this.#control("log out");
      await (await this.#group.link.client()).logout();
      return {};
    },
    newSession: async (workspace, call) => {
      this.#control("open sessions");
      checkWorkspace(this.#offers, workspace);
      const session = await this.#group.create(workspace);
      call.afterResponse(() => {
        this.#sessions.watch(session, "new").catch((error: unknown) => this.#fault(error));
      });
      return { sessionId: session.id, ...session.lists };
    },
    loadSession: (params, call) => this.#attach(params, "replay", call),
    resumeSession: ({ replayFrom, ...params }, call) =>
      this.#attach(params, replayFrom == null ? "resume" : "replay", call),
    listSessions: (query) => this.#group.list(query),
    closeSession: async ({ sessionId }) => {
      const { session } = this.#sessions.find(sessionId);
      // The close of an observer only ends its attachment.
      if (isObserver(this.#principal)) this.#sessions.leave(sessionId);
      else await session.release(this.#ending("closed", sessionId));
      return {};
    },
    deleteSession: async ({ sessionId }) => {
      this.#control("delete sessions");
      await this.#group.delete(sessionId, this.#ending("deleted", sessionId));
      return {};
    },
    setConfigOption: ({ sessionId, configId, value, type }) => {
      if (type !== undefined) throw RpcError.invalidParams("options have no values of such a type");
      return this.#choose(sessionId, { configId }, value);
    },
    setMode: async ({ sessionId, value }) => this.#chooseOf(sessionId, "mode", value),
    setModel: async ({ sessionId, value }) => this.#chooseOf(sessionId, "model", value),
    cancelToolCall: async ({ sessionId, toolCallId }) => {
      this.#control("cancel");
      await (await this.#sessions.find(sessionId).session.agent.live()).cancelToolCall(toolCallId);
      return {};
    },
    cancelTerminal: async ({ sessionId, terminalId }) => {
      this.#control("cancel");
      await (await this.#sessions.find(sessionId).session.agent.live()).cancelTerminal(terminalId);
      return {};
    },
  };

  // SHARE-07, SHARE-08
  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt {
    this.#control("send prompts");
    checkBlocks(this.#offers, params.prompt);
    const { session, attachment } = this.#sessions.find(params.sessionId);
    const receipt = session.prompt(attachment, params);
    // SHARE-09: the end of the connection aborts the call, and does not cancel the prompt.
    const unlessLeft = (cancel: () => void) => () => {
      if (!this.#sessions.isOver && !isAcpError(call.signal.reason, "connection_closed")) cancel();
    };
    return {
      inserted: receipt.inserted,
      ended: receipt.ended,
      cancel: unlessLeft(() => receipt.cancel()),
      withdraw: unlessLeft(() => receipt.withdraw()),
      proceed: () => receipt.proceed(),
      release: () => receipt.release(),
    };
  }

  cancel(sessionId: string): void {
    // A notification has no answer, so the reason of the refusal cannot be sent.
    if (!isObserver(this.#principal)) this.#sessions.get(sessionId)?.session.cancel();
  }

  extension(_method: string, _client: ClientInfo): Route | undefined {
    return undefined;
  }

  async close(): Promise<void> {
    this.#sessions.leaveAll();
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #attach(
    params: Calls["loadSession"]["params"],
    how: "replay" | "resume",
    call: InboundCall,
  ): Promise<SessionLists> {
    checkWorkspace(this.#offers, params);
    return this.#sessions.attach(params, how, call);
  }

  #choose(
    sessionId: string,
    name: Parameters<SharedSession["setOption"]>[0],
    value: string | boolean,
  ): Promise<Calls["setConfigOption"]["result"]> {
    this.#control("set options");
    const { session, attachment } = this.#sessions.find(sessionId);
    return session.setOption(name, value, attachment);
  }

  async #chooseOf(sessionId: string, category: "mode" | "model", value: string): Promise<object> {
    await this.#choose(sessionId, { category }, value);
    return {};
  }

  #ending(what: Ending["what"], sessionId: string): Ending {
    const attachment = this.#sessions.get(sessionId)?.attachment;
    const { name } = this.#principal;
    return { what, ...(attachment && { attachment }), ...(name !== undefined && { name }) };
  }

  #control(what: string): void {
    mustControl(this.#principal, what);
  }

  #fault(error: unknown): void {
    const message = "A client could not watch the session that it opened.";
    this.#settings.report({ code: "handler_failed", message, error });
  }

  get #offers(): AgentCapabilities {
    return this.#driver?.offers ?? this.capabilities;
  }
}

/** Parts of a served connection. */
export type ServedParts = {
  readonly group: Group;
  readonly principal: Principal;
  readonly settings: Settings;
};

/** Returns the capabilities for a client: those of the agent, and those that the gateway adds. */
function capabilitiesBehind(agent: AgentCapabilities): AgentCapabilities {
  return { ...agent, load: true, resume: true, list: true, close: true, delete: true, sessions: true };
}
