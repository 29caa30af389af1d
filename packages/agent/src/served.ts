import type { AgentCapabilities, Calls, ConfigOption, SessionPlace } from "@turnkit/session";
import {
  type Channel,
  type CloseReason,
  type Connection,
  createConnection,
  type InboundCall,
  RpcError,
  type Route,
  toRpcError,
} from "@turnkit/transport";
import type { AgentHandlers, Served, ServeOptions, SetupAnswer } from "./agent.js";
import { readConfigValue } from "./config-value.js";
import type { Driver, Service } from "./driver/driver.js";
import { createHandshake } from "./negotiate.js";
import { LiveSession } from "./session.js";
import { LiveTurn } from "./turn.js";
import { type PromptJob, type TurnEnd, TurnQueue } from "./turn-queue.js";

/** Serves one connection with an agent's handlers. */
export function serve<S>(handlers: AgentHandlers<S>, channel: Channel, options: ServeOptions): Served {
  const served = new ServedConnection(handlers, channel, options);
  return {
    closed: served.closed,
    close: () => served.close(),
    [Symbol.asyncDispose]: () => served.close(),
  };
}

class ServedConnection<S> implements Service {
  readonly capabilities: AgentCapabilities;
  readonly closed: Promise<CloseReason>;
  readonly #handlers: AgentHandlers<S>;
  readonly #options: ServeOptions;
  readonly #connection: Connection;
  readonly #sessions = new Map<string, LiveSession<S>>();
  readonly #restoring = new Set<string>();
  #driver: Driver | undefined;

  constructor(handlers: AgentHandlers<S>, channel: Channel, options: ServeOptions) {
    this.#handlers = handlers;
    this.#options = options;
    this.capabilities = capabilitiesOf(handlers);
    this.#connection = createConnection(channel, {
      noise: "answer",
      ...(options.limits && { limits: options.limits }),
      ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
      ...(options.validateOutgoing && { validateOutgoing: () => this.#driver?.contract }),
    });
    this.#connection.route = createHandshake({
      connection: this.#connection,
      service: this,
      info: handlers.info,
      authMethods: handlers.authMethods ?? [],
      mayRepeat: () => this.#sessions.size === 0,
      agreed: (driver) => {
        this.#driver = driver;
      },
    });
    void channel.closed.then(() => this.#closeSessions());
    this.closed = this.#connection.closed;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    await this.#connection.close();
  }

  async newSession(place: SessionPlace, call: InboundCall): Promise<Calls["newSession"]["result"]> {
    const session = this.#createSession(crypto.randomUUID(), place);
    session.holdUpdates();
    const setup = await this.#handlers.newSession(place, session);
    call.afterResponse(() => session.announced());
    return { sessionId: session.id, ...this.#open(session, setup) };
  }

  async restoreSession(params: Calls["loadSession"]["params"], replay: boolean): Promise<Calls["loadSession"]["result"]> {
    const restore = this.#handlers.restoreSession;
    if (restore === undefined) throw RpcError.methodNotFound("session/load");
    const { sessionId } = params;
    if (this.#restoring.has(sessionId)) throw RpcError.invalidRequest(`session ${sessionId} is being restored`);
    this.#restoring.add(sessionId);
    try {
      await this.#sessions.get(sessionId)?.close();
      const session = this.#createSession(sessionId, params);
      const setup = await restore.call(this.#handlers, { ...params, replay }, session);
      return this.#open(session, setup);
    } finally {
      this.#restoring.delete(sessionId);
    }
  }

  async prompt(params: Calls["prompt"]["params"], call: InboundCall): Promise<TurnEnd> {
    const session = this.#session(params.sessionId);
    if (params.prompt.length === 0) throw RpcError.invalidParams("a prompt holds at least one block");
    const accepted = ["text", "resource_link", ...acceptedBlocks(this.capabilities)];
    const refused = params.prompt.find(({ type }) => !accepted.includes(type));
    if (refused !== undefined) throw RpcError.invalidParams(`prompts with ${refused.type} blocks are not supported`);
    const place = new Promise<void>((resolve) => session.lane.begin(call.bytes, resolve));
    const job = session.turns.push((self) => place.then(() => this.#runTurn(session, params.prompt, self)));
    call.signal.addEventListener("abort", () => job.cancel(), { once: true });
    return job.ended;
  }

  cancel(sessionId: string): void {
    this.#sessions.get(sessionId)?.turns.cancelAll();
  }

  async setConfigOption(
    { sessionId, configId, value }: Calls["setConfigOption"]["params"],
    call: InboundCall,
  ): Promise<Calls["setConfigOption"]["result"]> {
    const session = this.#session(sessionId);
    return inLane(session, call.bytes, async () => {
      const checked = readConfigValue(session.state.configOptions ?? [], configId, value);
      await this.#handlers.setConfigOption?.(session, configId, checked);
      session.record({ type: "config_option_set", configId, value: checked });
      const configOptions = session.state.configOptions ?? [];
      session.setConfigOptions(configOptions);
      return { configOptions };
    });
  }

  optionOf(sessionId: string, category: "mode" | "model"): string {
    const options: readonly ConfigOption[] = this.#session(sessionId).state.configOptions ?? [];
    const option = options.find((candidate) => candidate.category === category);
    if (option === undefined) throw RpcError.invalidParams(`session ${sessionId} has no ${category}s`);
    return option.configId;
  }

  async closeSession(sessionId: string, call: InboundCall): Promise<void> {
    const session = this.#session(sessionId);
    session.turns.cancelAll();
    return inLane(session, call.bytes, async () => {
      await session.close();
      this.#sessions.delete(sessionId);
      await this.#handlers.closeSession?.(session);
    });
  }

  async login(methodId: string, signal: AbortSignal): Promise<void> {
    const method = this.#handlers.authMethods?.find((candidate) => candidate.methodId === methodId);
    if (method?.type !== "agent" || this.#handlers.login === undefined) {
      throw RpcError.invalidParams(`there is no login method ${methodId} that the agent runs`);
    }
    await this.#handlers.login(methodId, signal);
  }

  extension(method: string): Route | undefined {
    const extensions: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>> =
      this.#handlers.extensions ?? {};
    if (!Object.hasOwn(extensions, method)) return undefined;
    return { receive: (params, call) => extensions[method]?.(params, call.signal) };
  }

  #createSession(id: string, place: SessionPlace): LiveSession<S> {
    const driver = this.#driver as Driver;
    const { limits = {}, onLoss, whilePrompting = "queue", cancelGraceMs = 10_000 } = {
      ...this.#options,
      ...(this.#handlers.whilePrompting && { whilePrompting: this.#handlers.whilePrompting }),
    };
    const session = new LiveSession<S>({
      id,
      place,
      connection: this.#connection,
      driver,
      turns: new TurnQueue({ whilePrompting, cancelGraceMs }),
      limits,
      encode: driver.createEncoder((loss) => onLoss?.(loss, id)),
    });
    session.record({
      type: "session_opened",
      sessionId: id,
      cwd: place.cwd,
      additionalDirectories: place.additionalDirectories ?? [],
    });
    return session;
  }

  #open(session: LiveSession<S>, setup: SetupAnswer<S>): Calls["loadSession"]["result"] {
    const { data, configOptions, availableCommands } = { ...(setup ?? {}) };
    session.data = data as S;
    const lists = { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
    session.record({ type: "session_opened", sessionId: session.id, ...lists });
    this.#sessions.set(session.id, session);
    return lists;
  }

  /** Sessions of other connections are unknown here, whatever process serves both. */
  #session(sessionId: string): LiveSession<S> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  async #runTurn(session: LiveSession<S>, prompt: Calls["prompt"]["params"]["prompt"], job: PromptJob) {
    if (job.signal.aborted) return "cancelled";
    const promptId = session.newId("prompt");
    session.record({ type: "user_message", messageId: promptId, content: prompt });
    session.record({ type: "turn_started", promptId });
    const turn = new LiveTurn(session, prompt, job.signal);
    void job.ended.then((end) => {
      turn.end();
      session.record({ type: "turn_ended", promptId, ...describeEnd(end) });
    });
    const reason = await this.#handlers.prompt(turn);
    await turn.drain();
    return reason;
  }

  #closeSessions(): void {
    for (const session of this.#sessions.values()) {
      session.closeNow();
      // Nobody is left to be told that a clean-up failed, except the log.
      new Promise((resolve) => resolve(this.#handlers.closeSession?.(session))).catch((error: unknown) =>
        this.#options.onDiagnostic?.({
          code: "listener_failed",
          message: "closeSession failed.",
          sessionId: session.id,
          error,
        }),
      );
    }
    this.#sessions.clear();
  }
}

/** Runs in the session's order of receipt: what came before ends first (set, close), prompts start after it. */
function inLane<S, T>(session: LiveSession<S>, bytes: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    session.lane.tell(bytes, () => work().then(resolve, reject));
  });
}

function describeEnd(end: TurnEnd) {
  if ("stopReason" in end) return end;
  const { code, message } = toRpcError(end.error);
  return { error: { code, message } };
}

function capabilitiesOf<S>(handlers: AgentHandlers<S>): AgentCapabilities {
  const { accepts = {} } = handlers;
  const restores = handlers.restoreSession !== undefined;
  return {
    load: restores,
    resume: restores,
    list: false,
    close: true,
    delete: false,
    additionalDirectories: accepts.additionalDirectories ?? false,
    logout: false,
    prompt: {
      image: accepts.image ?? false,
      audio: accepts.audio ?? false,
      embeddedContext: accepts.embeddedContext ?? false,
    },
    mcp: { stdio: true, http: accepts.mcpHttp ?? false, sse: accepts.mcpSse ?? false },
  };
}

function acceptedBlocks({ prompt }: AgentCapabilities): string[] {
  const gates = { image: prompt.image, audio: prompt.audio, resource: prompt.embeddedContext };
  return Object.entries(gates).flatMap(([type, open]) => (open ? [type] : []));
}
