import {
  type Channel,
  type CloseReason,
  checkArgument,
  checkChannel,
  checkOptions,
  createConnection,
  type InboundCall,
  type OptionTypes,
  RpcError,
  refuseOption,
  reporter,
} from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { checkFigures } from "./figures.js";
import { type GatewayLimits, type GatewayOptions, type Settings, settingsOf } from "./gateway-options.js";
import { Group } from "./group.js";
import { groupOf, type Principal } from "./principal.js";
import { ServedClient } from "./served-client.js";

/** Connection of one client. */
export interface GatewayConnection extends AsyncDisposable {
  /** Settles when the connection has ended. The sessions continue. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Ends the connection. The sessions continue. */
  close(): Promise<void>;
}

/** Serves any number of clients in front of agents. Clients of one group share their sessions. */
export interface Gateway extends AsyncDisposable {
  /**
   * Serves a client. The first client of a group starts the agent. If the agent does not start, `initialize` is refused with
   * the reason.
   *
   * @throws TypeError for a value that is not a channel, or a principal without an id
   */
  serve(channel: Channel, principal: Principal): GatewayConnection;
  /**
   * Returns a channel whose other end is served for the principal. It fits the option `open` of a server of
   * `@turnkit/remote`.
   *
   * @throws TypeError for a principal without an id
   */
  open(principal: Principal): Channel;
  /** Ends all connections, then all sessions and agents. The logs stay. */
  close(): Promise<void>;
}

/**
 * Creates a gateway. It needs no network: pass each connection of a client to {@link Gateway.serve}.
 *
 * @throws TypeError for an option of another type, or an unknown one
 *
 * @example
 * const gateway = createGateway({ agent: () => spawnChannel(["some-agent", "--acp"]) });
 * const server = createRemoteServer({ authorize, open: (principal) => gateway.open(principal) });
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkGatewayOptions(options);
  return new SessionGateway(settingsOf(options, reporter(options.onDiagnostic)));
}

class SessionGateway implements Gateway {
  readonly #settings: Settings;
  readonly #groups = new Map<string, Group>();
  readonly #served = new Set<GatewayConnection>();
  #closing: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  serve(channel: Channel, principal: Principal): GatewayConnection {
    checkChannel("serve", channel, "pass a channel, such as one end of createMemoryPair()");
    checkPrincipal("serve", principal);
    if (this.#closing !== undefined) return refuse(channel, this.#settings);
    const group = this.#group(groupOf(principal));
    const left = group.connected();
    const connection = new ServedClient(channel, { group, principal, settings: this.#settings });
    this.#served.add(connection);
    this.#settings.figures.change("connections", 1);
    void connection.closed.then(() => {
      this.#served.delete(connection);
      this.#settings.figures.change("connections", -1);
      left();
    });
    return connection;
  }

  open(principal: Principal): Channel {
    const [client, agent] = createMemoryPair();
    this.serve(agent, principal);
    return client;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#served].map((connection) => connection.close()));
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
    this.#groups.clear();
  }

  #group(name: string): Group {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const settings = this.#settings;
    const group: Group = new Group(name, settings, {
      unused: () => this.#groups.delete(name),
      serve: (channel, only) => new ServedClient(channel, { group, principal: { id: "gateway" }, settings, only }),
    });
    this.#groups.set(name, group);
    return group;
  }
}

/** Answers the first request of a client with an error, then closes the connection. */
function refuse(channel: Channel, { report }: Settings): GatewayConnection {
  const receive = (_params: unknown, call: InboundCall) => {
    call.afterResponse(() => void connection.close());
    throw RpcError.internalError("the gateway is closed");
  };
  const connection = createConnection(channel, { route: () => ({ receive }), onDiagnostic: report });
  return connection;
}

function checkPrincipal(call: string, principal: Principal): void {
  const remedy = 'pass the principal of the connection, such as { id: "alice" }';
  checkArgument(typeof principal?.id === "string", `${call} principal`, { got: principal, remedy });
  const isRole = principal.role === undefined || principal.role === "controller" || principal.role === "observer";
  checkArgument(isRole, `${call} role`, { got: principal.role, remedy: 'pass "controller" or "observer"' });
}

const OPTIONS: OptionTypes<GatewayOptions> = {
  agent: "function",
  log: "function",
  answers: "any",
  unattendedMs: "number",
  unattended: "function",
  idleMs: "number",
  files: "any",
  terminals: "any",
  limits: "any",
  figures: "any",
  onDiagnostic: "function",
};

const LIMITS: OptionTypes<GatewayLimits> = {
  attachmentUpdates: "number",
  attachmentBytes: "number",
  attachments: "number",
  sessions: "number",
  stateBytes: "number",
};

function checkGatewayOptions(options: GatewayOptions): void {
  const remedy = "pass options with a function that opens a channel to an agent, such as { agent: () => channel }";
  checkArgument(typeof options === "object" && options !== null, "createGateway", { got: options, remedy });
  checkOptions("createGateway", options, OPTIONS, { unknown: refuseOption });
  checkArgument(typeof options.agent === "function", "createGateway agent", { got: options.agent, remedy });
  checkFigures("createGateway", options.figures);
  const { answers, limits = {} } = options;
  const isKnown =
    answers === undefined || answers === "first" || answers === "prompter" || typeof answers === "function";
  checkArgument(isKnown, "createGateway answers", { got: answers, remedy: 'pass "first", "prompter" or a function' });
  checkOptions("createGateway limits", limits, LIMITS, { unknown: refuseOption });
}
