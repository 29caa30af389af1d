import type {
  AgentCapabilities,
  BackgroundWork,
  ContentBlock,
  DialectName,
  ElicitationAnswer,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionState,
  WireEvent,
} from "@turnkit/session";
import {
  type AgentCodec,
  type AskedCalls,
  type Calls,
  type Encoder,
  type Loss,
  type CallHandlers as SessionCallHandlers,
  wireHandlers,
} from "@turnkit/session/codec";
import {
  type Connection,
  type Contract,
  createRoutes,
  type InboundCall,
  type RequestOptions,
  type Room,
  type Route,
} from "@turnkit/transport";
import type { Lifetime } from "../cancellation.js";
import type { ClientInfo } from "../client-info.js";
import type { ClientFiles } from "../client-tools/files.js";
import type { ClientTerminals } from "../client-tools/terminals.js";
import type { TurnEnd } from "../turn-end.js";

/** Prompt that was received. The dialect decides when its client is answered. */
export interface PromptReceipt {
  /** Settles with the id of the user's message when that joins the conversation; with `undefined` if it never does. */
  readonly inserted: Promise<string | undefined>;
  /** Settles at the end of the turn, after the update about it if the dialect has one. */
  readonly ended: Promise<TurnEnd>;
  /** Cancels the turn, begun or not. */
  cancel(): void;
  /** Cancels the prompt unless it was inserted. */
  withdraw(): void;
  /** Lets the handler begin once the prompt is inserted. */
  proceed(): void;
  /** Lets the next prompt of the session start. Call it when the client has the end. */
  release(): void;
}

/** Handlers of a client's calls, in the neutral form. */
export type CallHandlers = SessionCallHandlers<InboundCall>;

/** Calls that dialects answer by rules of their own, and those of agents. */
type Others = "initialize" | "prompt" | "askPermission" | "elicit" | "completeElicitation";

/**
 * Part of the runtime that answers one client. Handlers are called at receipt, in wire order. Promises settle when the answer
 * is known, and reject with the error that the client gets.
 */
export interface Service {
  readonly capabilities: AgentCapabilities;
  /** Handlers of every other call, whatever its dialect. A call that the dialect does not have never arrives. */
  readonly calls: Required<Omit<CallHandlers, Others>>;
  /** @throws RpcError for a prompt that is refused at once */
  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt;
  cancel(sessionId: string): void;
  /** Returns the route of a method that the dialect does not know, if the agent has one. */
  extension(method: string, client: ClientInfo): Route | undefined;
}

/** Members of a session that drivers use. */
export type DriverSession = {
  readonly id: string;
  /** Work besides turns, if the agent reports it. */
  readonly background: readonly BackgroundWork[] | undefined;
  readonly output: {
    readonly state: SessionState;
    /** Stores, folds and sends an event, which must not change afterwards. */
    say(event: WireEvent): Room;
    /** Stores and folds an event that is not sent. */
    record(event: SessionEvent): void;
  };
};

/** Rules by which dialects report turns, and the tools of clients that they have. */
export interface DialectRules {
  /** Reports that a prompt was inserted and its turn begins. */
  begin(
    session: DriverSession,
    inserted: { readonly messageId: string; readonly prompt: readonly ContentBlock[] },
  ): void;
  /** Reports the end of a turn that began. Nothing of the turn follows. */
  end(session: DriverSession, messageId: string, end: TurnEnd): void;
  /** Reports that the running turn waits for the user, or goes on. */
  waiting?(session: DriverSession, forUser: boolean): void;
  /** Reports a new list of background work. */
  backgroundChanged(session: DriverSession): void;
  /** Reports the state of a restored session, between the replay and the answer. */
  restored?(session: DriverSession): void;
  /** Returns files that are usable during `lifetime`. Absent if the client has none. */
  files?(sessionId: string, lifetime: Lifetime): ClientFiles;
  /** Returns terminals like {@link files}. Those that were created are released at the end of `lifetime`. */
  terminals?(sessionId: string, lifetime: Lifetime): ClientTerminals;
}

/** One dialect, spoken to one client. */
export interface Driver extends DialectRules {
  readonly dialect: Dialect;
  readonly client: ClientInfo;
  /** Capabilities of the agent as far as the dialect has them. Sessions and prompts are checked against these. */
  readonly offers: AgentCapabilities;
  readonly routes: (method: string) => Route | undefined;
  /** Ids of the open requests at a URL, of all sessions of the connection. */
  readonly urlRequests: Set<string>;
  createEncoder(onLoss: (loss: Loss) => void): Encoder;
  askPermission(sessionId: string, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  /** Asks the person. Called only for modes that the client offers. */
  elicit(question: Calls["elicit"]["params"], signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Reports that a request at a URL is done. Called only for clients that offer URLs. */
  completeElicitation(elicitationId: string): void;
}

/** Parts of a driver. */
export type DriverParts = {
  readonly connection: Connection;
  readonly service: Service;
  readonly client: ClientInfo;
  onLoss(loss: Loss, sessionId?: string): void;
};

/** One dialect: its shapes, its `initialize` and its rules. */
export interface Dialect {
  readonly dialect: DialectName;
  readonly version: number;
  /** Month of the dialect's text. The later of two dialects of one version is preferred. */
  readonly since: `${number}-${number}`;
  readonly codec: AgentCodec;
  readonly contract: Contract;
  /** True if the contract has schemas of the dialect's own for answers to questions. Others are not checked. */
  readonly checksAnswers: boolean;
  /** True if a request may have the id `null`, as in the older dialects. */
  readonly nullIds: boolean;
  /** True if the answer that opens a session holds its commands; otherwise an update follows the answer. */
  readonly commandsInAnswers: boolean;
  /** True if the encoder repeats the whole content of a tool call with each addition. */
  readonly repeatsContents: boolean;
  /** True if MCP servers may be connected over SSE. */
  readonly hasSse: boolean;
  /** Returns true if a client that asked for this version speaks this dialect of it. */
  fits(params: object): boolean;
  /**
   * Reads the params of `initialize`.
   *
   * @param asked true if the client asked for this version; otherwise members that do not fit read as absent
   * @throws RpcError `-32602` for params that do not fit
   */
  readHello(params: object, asked: boolean): Calls["initialize"]["params"];
  /** Returns true if `initialize` may come again, by the calls since the last one. */
  mayRepeat(history: { readonly requested: boolean; readonly hasSessions: boolean }): boolean;
  /** Returns the calls that an agent answers in this dialect. */
  calls(service: Service): CallHandlers;
  rules(parts: DriverParts): DialectRules;
}

/** Creates the driver of a client that speaks a dialect. */
export function createDriver(dialect: Dialect, parts: DriverParts): Driver {
  const { connection, service, client, onLoss } = parts;
  const { codec, contract } = dialect;
  const { askPermission, elicit }: AskedCalls & AgentCodec["ask"] = codec.ask;
  const { capabilities } = service;
  const { capabilities: peer } = client;
  const ask = (method: string, params: object, signal: AbortSignal): Promise<object> => {
    const schema = dialect.checksAnswers && contract[method]?.result;
    const result = schema && { result: schema as NonNullable<RequestOptions<object>["result"]> };
    return connection.request<object>(method, params, { signal, onAbort: "abandon", ...result });
  };
  return {
    ...dialect.rules(parts),
    dialect,
    client,
    offers: { ...capabilities, mcp: { ...capabilities.mcp, sse: capabilities.mcp.sse && dialect.hasSse } },
    routes: createRoutes(contract, "agent", {
      ...wireHandlers(codec, dialect.calls(service), { peer, onLoss }),
      "session/cancel": ({ sessionId }: { readonly sessionId: string }) => service.cancel(sessionId),
    }),
    urlRequests: new Set(),
    createEncoder: (lost) => codec.createEncoder(peer, lost),
    async askPermission(sessionId, question, signal) {
      const params = askPermission.encodeParams({ ...question, sessionId }, (loss) => onLoss(loss, sessionId));
      return askPermission.decodeResult(await ask(askPermission.method, params, signal)).outcome;
    },
    async elicit(question, signal) {
      if (elicit === undefined) return { action: "cancel" };
      return elicit.decodeResult(await ask(elicit.method, elicit.encodeParams(question), signal));
    },
    completeElicitation: (elicitationId) => void connection.notify("elicitation/complete", { elicitationId }),
  };
}
