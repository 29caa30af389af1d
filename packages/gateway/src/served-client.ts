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
import type { Peer, Session } from "@turnkit/client";
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
import { ASKED, BY, WITHDRAWN } from "./between-gateways.js";
import type { Ending } from "./conversation.js";
import type { Settings } from "./gateway-options.js";
import type { Group } from "./group.js";
import { isObserver, mustControl, type Principal } from "./principal.js";
import type { SharedSession } from "./shared-session.js";

/** Connection of one client. Refuses the calls that the role of its principal does not allow. */
export class ServedClient implements Service, AsyncDisposable {
  capabilities!: AgentCapabilities;
  readonly closed: Promise<CloseReason>;
  readonly #connection: Connection;
  readonly #group: Group;
  readonly #principal: Principal;
  readonly #settings: Settings;
  readonly #sessions: AttachedSessions;
  #driver: Driver | undefined;
  /** End of the last list of this client. */
  #listing: Promise<unknown> = Promise.resolve();
  /** Only session that the client may use. Set if the client is another gateway. */
  readonly #only: SharedSession | undefined;
  /** Name of the principal of the next request. Set if the client is another gateway. */
  #by: string | undefined;

  /** Holds the messages of the client until the agent of its group has started. */
  constructor(channel: Channel, { group, principal, settings, only }: ServedParts) {
    this.#group = group;
    this.#only = only;
    this.#principal = principal;
    this.#settings = settings;
    const connection = createConnection(channel, {
      invalidLines: "answer",
      nullIds: () => this.#driver?.dialect.nullIds ?? true,
      onDiagnostic: settings.report,
    });
    this.#connection = connection;
    const driver = () => this.#driver as Driver;
    const giveUp = (): void => void this.close();
    this.#sessions = new AttachedSessions({ group, principal, connection, driver, giveUp, only });
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
    this.capabilities = capabilitiesBehind(peer.capabilities, this.#principal);
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
      this.#mustBeClient();
      const client = await this.#group.link.client();
      await client.login(methodId, call.signal);
      return {};
    },
    logout: async () => {
      this.#control("log out");
      this.#mustBeClient();
      await (await this.#group.link.client()).logout();
      return {};
    },
    newSession: async (workspace, call) => {
      this.#control("open sessions");
      this.#mustBeClient();
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
    listSessions: async (query) => {
      this.#mustBeClient();
      // A list reads the description of each session. Many simultaneous lists would block the storage for all other
      // requests.
      const listing = this.#listing.then(() => {
        if (this.#sessions.isOver) throw RpcError.requestCancelled();
        return this.#group.list(query);
      });
      this.#listing = listing.catch(() => undefined);
      return listing;
    },
    closeSession: async ({ sessionId }) => {
      const { session } = this.#sessions.find(sessionId);
      // The close of an observer only ends its attachment.
      if (isObserver(this.#principal)) this.#sessions.leave(sessionId);
      else await session.release(this.#ending("closed", sessionId));
      return {};
    },
    deleteSession: async ({ sessionId }) => {
      this.#control("delete sessions");
      if (this.#only !== undefined && this.#only.id !== sessionId) throw RpcError.resourceNotFound({ sessionId });
      await this.#group.delete(sessionId, this.#ending("deleted", sessionId));
      return {};
    },
    setConfigOption: ({ sessionId, configId, value, type }) => {
      if (type !== undefined) throw RpcError.invalidParams("options have no values of such a type");
      return this.#choose(sessionId, { configId }, value);
    },
    setMode: async ({ sessionId, value }) => this.#chooseOf(sessionId, "mode", value),
    setModel: async ({ sessionId, value }) => this.#chooseOf(sessionId, "model", value),
    cancelToolCall: ({ sessionId, toolCallId }) =>
      this.#cancelWork(sessionId, (session) => session.cancelToolCall(toolCallId)),
    cancelTerminal: ({ sessionId, terminalId }) =>
      this.#cancelWork(sessionId, (session) => session.cancelTerminal(terminalId)),
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

  extension(method: string, _client: ClientInfo): Route | undefined {
    // If the agent lacks the capability, this is the only route of `session/delete`. It refuses observers with the
    // reason.
    if (method === "session/delete") return { receive: () => this.#control("delete sessions") };
    if (this.#only === undefined) return undefined;
    if (method === BY) return { receive: ({ name }: { readonly name?: unknown }) => this.#actFor(name) };
    if (method === WITHDRAWN) return { receive: ({ key }: { readonly key?: unknown }) => this.#withdrawn(key) };
    return method === ASKED ? { receive: (params: object) => this.#noted(params) } : undefined;
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

  /** @throws RpcError `-32602` for work that does not exist, or that cannot be cancelled alone */
  // V2-TOOL-13, V2-TERM-12
  async #cancelWork(sessionId: string, cancel: (session: Session) => Promise<void>): Promise<object> {
    this.#control("cancel");
    const session = await this.#sessions.find(sessionId).session.agent.live();
    try {
      await cancel(session);
    } catch (error) {
      throw isAcpError(error, "capability") ? RpcError.invalidParams(error.message, { sessionId }) : error;
    }
    return {};
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
    const name = this.#only === undefined ? this.#principal.name : this.#by;
    return { what, ...(attachment && { attachment }), ...(name !== undefined && { name }) };
  }

  #actFor(name: unknown): void {
    this.#by = typeof name === "string" ? name : undefined;
  }

  #withdrawn(key: unknown): void {
    if (typeof key === "string" && this.#only && this.#sessions.get(this.#only.id)) this.#only.cancelByKey(key);
  }

  #noted(params: { readonly question?: unknown; readonly name?: unknown; readonly isAttended?: unknown }): void {
    const { question, name, isAttended } = params;
    const attached = this.#only && this.#sessions.get(this.#only.id);
    if (attached === undefined || typeof question !== "string") return;
    attached.session.noted(question, attached.attachment, {
      ...(typeof name === "string" && { name }),
      ...(typeof isAttended === "boolean" && { isAttended }),
    });
  }

  /** @throws RpcError `-32600` for another gateway, which uses one session and nothing else */
  #mustBeClient(): void {
    if (this.#only !== undefined) throw RpcError.invalidRequest("a gateway may only use the session of its channel");
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
  /** Session to which another gateway is connected. Absent for a client. */
  readonly only?: SharedSession;
};

/** Returns the capabilities for a client: those of the agent, and those that the gateway adds. */
function capabilitiesBehind(agent: AgentCapabilities, principal: Principal): AgentCapabilities {
  const own = { load: true, resume: true, list: true, close: true, delete: !isObserver(principal), sessions: true };
  return { ...agent, ...own };
}
