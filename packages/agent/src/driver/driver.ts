import type {
  AgentCapabilities,
  Calls,
  ClientCapabilities,
  Dialect,
  Encoder,
  Implementation,
  Loss,
  PermissionOutcome,
  PermissionQuestion,
} from "@turnkit/session";
import type { Connection, Contract, InboundCall, Route } from "@turnkit/transport";
import type { ClientFiles } from "../client-tools/files.js";
import type { ClientTerminals } from "../client-tools/terminals.js";
import type { OptionName } from "../config-value.js";
import type { TurnEnd } from "../prompt-job.js";

/** What a client said of itself. */
export type ClientInfo = {
  /** What is spoken with it. Agents hardly need it: handlers are the same for all. */
  readonly dialect: Dialect;
  /** `unknown` where the client did not say. */
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
};

/**
 * What every dialect asks of the runtime. All are called at receipt, in wire order; promises settle when the answer is
 * known, and reject with what the caller is to be told.
 */
export interface Service {
  readonly capabilities: AgentCapabilities;
  newSession(params: Calls["newSession"]["params"], call: InboundCall): Promise<Calls["newSession"]["result"]>;
  restoreSession(
    params: Calls["loadSession"]["params"],
    replay: boolean,
    call: InboundCall,
  ): Promise<Calls["loadSession"]["result"]>;
  /** Settles at the end of the turn. The session's next turn starts when the answer to `call` left. */
  prompt(params: Calls["prompt"]["params"], call: InboundCall): Promise<TurnEnd>;
  cancel(sessionId: string): void;
  setConfigOption(choice: OptionChoice, call: InboundCall): Promise<Calls["setConfigOption"]["result"]>;
  closeSession(sessionId: string, call: InboundCall): Promise<void>;
  login(methodId: string, signal: AbortSignal): Promise<void>;
  /** Asked for what the dialect itself does not know. */
  extension(method: string): Route | undefined;
}

/** A value that a client chose for an option. */
export type OptionChoice = OptionName & { readonly sessionId: string; readonly value: string | boolean };

/** One dialect as an agent speaks it to one client. */
export interface Driver {
  readonly client: ClientInfo;
  readonly contract: Contract;
  readonly routes: (method: string) => Route | undefined;
  /** Whether answers that open a session carry its commands; otherwise an update follows them. */
  readonly commandsInAnswers: boolean;
  createEncoder(onLoss: (loss: Loss) => void): Encoder;
  askPermission(sessionId: string, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  /** `undefined` where the client or the dialect has none; usable until `signal` fires. */
  files(sessionId: string, signal: AbortSignal): ClientFiles | undefined;
  /** Like {@link files}; what was created is released when `signal` fires. */
  terminals(sessionId: string, signal: AbortSignal): ClientTerminals | undefined;
}

/** One version of the protocol before a driver exists: its `initialize`. */
export interface Dialogue {
  readonly version: number;
  /** @throws RpcError `-32602` where the params do not fit */
  readHello(params: object): Calls["initialize"]["params"];
  answerHello(answer: Omit<Calls["initialize"]["result"], "protocolVersion">, client: ClientInfo): object;
  createDriver(connection: Connection, service: Service, hello: Calls["initialize"]["params"]): Driver;
}
