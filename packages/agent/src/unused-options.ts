import type { ClientCapabilities, PermissionQuestion } from "@turnkit/session";
import { type Diagnostic, type OptionTypes, uncalledExtensions, unknownOptions } from "@turnkit/transport";
import type { AgentHandlers, SessionSetup } from "./agent-handlers.js";
import type { ChildOptions } from "./child-session.js";
import type { Dialect } from "./driver/driver.js";
import type { ServeOptions } from "./serve-options.js";
import type { ToolCallFields, ToolCallStart, ToolRunOptions } from "./tool-call.js";

type Report = (diagnostic: Diagnostic) => void;

/** Table of the names of all members of `T`. */
type Names<T> = { readonly [name in keyof Required<T>]: true };

/** Every member of the handlers, with its type. A call with members of another type is refused. */
export const HANDLERS: OptionTypes<AgentHandlers> = {
  ...{ info: "object", prompt: "function", newSession: "function", restoreSession: "function", log: "any" },
  ...{ setConfigOption: "function", listSessions: "function", deleteSession: "function", closeSession: "function" },
  ...{ authMethods: "list", login: "function", logout: "function", fallback: "function", extensions: "object" },
  ...{ promptCapabilities: "object", mcpCapabilities: "object", sessionCapabilities: "object" },
  ...{ dataVersion: "number", customCapabilities: "any" },
  ...{ whilePrompting: ["queue", "reject", "replace"], onKeyReuse: ["error", "original"] },
};

/** Every option of `serve`, with its type. */
export const OPTIONS: OptionTypes<ServeOptions> = {
  ...{ limits: "object", cancelGraceMs: "number", validateOutgoing: "object", batches: ["refuse", "unpack"] },
  ...{ onDiagnostic: "function", onLoss: "function" },
};

type Group = "promptCapabilities" | "mcpCapabilities" | "sessionCapabilities";

export const CAPABILITY_GROUPS: { readonly [G in Group]: OptionTypes<NonNullable<AgentHandlers[G]>> } = {
  promptCapabilities: { image: "boolean", audio: "boolean", embeddedContext: "boolean" },
  mcpCapabilities: { http: "boolean", sse: "boolean" },
  sessionCapabilities: { additionalDirectories: "boolean", systemPrompt: ["append", "override"] },
};

const SETUP: Names<SessionSetup<undefined>> = {
  ...{ data: true, configOptions: true, availableCommands: true },
};

const LIMITS: Names<NonNullable<ServeOptions["limits"]>> = {
  ...{ waitingMessages: true, waitingBytes: true, outgoingRequests: true, incomingRequests: true },
  ...{
    stateBytes: true,
    entryBytes: true,
    terminalBytes: true,
    waitingCalls: true,
    waitingCallBytes: true,
  },
  ...{ openSessions: true, openSessionBytes: true },
};

const START: Names<ToolCallStart> = {
  ...{ title: true, kind: true, status: true, content: true, locations: true, rawInput: true, rawOutput: true },
  ...{ toolCallId: true, onCancel: true, name: true, capabilities: true, _meta: true },
};

const FIELDS: Names<ToolCallFields> = {
  ...{ title: true, kind: true, status: true, content: true, locations: true, rawInput: true, rawOutput: true },
  ...{ name: true, capabilities: true, _meta: true },
};

const QUESTION: Names<PermissionQuestion> = {
  ...{ title: true, description: true, subject: true, options: true, _meta: true },
};

const RUN: Names<ToolRunOptions<unknown>> = { result: true };

const CHILD: Names<ChildOptions> = { description: true, cwd: true, cancel: true };

const KNOWN_OF = {
  ...{ limits: LIMITS, toolCall: START, "run of a tool call": RUN },
  ...{ "session.child": CHILD, "update of a tool call": FIELDS, "turn.ask": QUESTION },
  ...{ "turn.requestPermission": QUESTION, "ask of a tool call": QUESTION },
  ...{ "requestPermission of a tool call": QUESTION },
};

/** Returns true for the name of a member of a tool call. */
export const isField = (name: string): boolean => Object.hasOwn(FIELDS, name);

/** Returns one sentence for each member that a call does not read. */
export function unknownMembers(call: keyof typeof KNOWN_OF, members: object): readonly string[] {
  return unknownOptions(call, members, { known: KNOWN_OF[call] });
}

/** Returns one sentence for each member of the result of `newSession` or `restoreSession` that is not used. */
export function unknownSetup(setup: object): readonly string[] {
  const names = { known: SETUP, remedies: OF_SETUP };
  const otherwise = (name: string) => `Return { data: { ${name} } }.`;
  return unknownOptions("the result of newSession or restoreSession", setup, { ...names, otherwise });
}

/** Remedies for members that the answers of the protocol have. */
const OF_SETUP = {
  sessionId: "The runtime makes the id. Read session.id of the second parameter.",
  modes: "Return configOptions with a select of the category mode.",
  models: "Return configOptions with a select of the category model.",
  commands: "Return availableCommands: [{ name, description }].",
};

const CAPABILITIES = "Pass promptCapabilities, mcpCapabilities or sessionCapabilities.";
const RESTORE = "Pass a log, or the handler restoreSession.";
const CHOICE = "Pass the handler setConfigOption.";
const NAMED = "Pass info: { name, version }.";
const SET_UP = "Return configOptions from newSession.";
const COMMANDS = "Return availableCommands: [{ name, description }] from newSession.";

/** Remedies for handlers that have another name in the official SDK or the protocol. */
const OF_SDK = {
  ...{ capabilities: CAPABILITIES, agentCapabilities: CAPABILITIES, agentInfo: "Pass info." },
  ...{ loadSession: RESTORE, resumeSession: RESTORE, setSessionMode: CHOICE, setSessionModel: CHOICE },
  ...{ setSessionConfigOption: CHOICE, authenticate: "Pass the handler login." },
  ...{ cancel: "Listen to turn.signal.", initialize: "Pass info; the capabilities follow from the handlers." },
  ...{ name: NAMED, version: NAMED, title: NAMED, modes: SET_UP, models: SET_UP, configOptions: SET_UP },
  ...{ commands: COMMANDS, availableCommands: COMMANDS, data: "Return { data } from newSession." },
  ...{ extMethod: "Pass extensions or fallback.", extNotification: "Pass extensions or fallback." },
};

/** Returns one sentence for each handler of an agent that is never called, and for each member that is not a handler. */
export function unusedHandlers<S>(handlers: AgentHandlers<S>): readonly string[] {
  const { dataVersion, log, login, authMethods = [] } = handlers;
  const names = { known: HANDLERS, others: { serve: OPTIONS }, remedies: OF_SDK };
  const unused = (option: string, why: string): string => `The option ${option} is not used: ${why}`;
  return [
    ...unknownOptions("createAgent", handlers, names),
    ...uncalledExtensions(handlers.extensions ?? {}),
    ...Object.entries(CAPABILITY_GROUPS).flatMap(([group, known]) => {
      const members = handlers[group as Group];
      return members === undefined ? [] : unknownOptions(group, members, { known });
    }),
    ...(dataVersion !== undefined && log === undefined ? [unused("dataVersion", "there is no log.")] : []),
    ...(login !== undefined && !authMethods.some(({ type }) => type === "agent")
      ? [unused("login", "authMethods has no method of the type agent.")]
      : []),
    ...(authMethods.length > 0 && handlers.logout === undefined
      ? [
          "The handler logout is missing. Clients of version 2 offer it for every agent with authMethods, and get an error.",
        ]
      : []),
  ];
}

/** Returns one sentence for each member that is not an option of `serve`. */
export function unknownServeOptions(options: ServeOptions): readonly string[] {
  const names = { known: OPTIONS, others: { createAgent: HANDLERS } };
  return [...unknownOptions("serve", options, names), ...unknownMembers("limits", options.limits ?? {})];
}

/** Connection whose dialect is agreed. */
type Agreed = {
  readonly dialect: Dialect;
  readonly client: { readonly capabilities: ClientCapabilities };
  readonly routes: (method: string) => unknown;
};

/** Reports handlers and options that the agreed dialect or the client cannot use. */
export function reportUnused<S>(
  { dialect: { dialect, hasSse }, client, routes }: Agreed,
  { handlers, options }: { readonly handlers: AgentHandlers<S>; readonly options: ServeOptions },
  report: Report,
): void {
  const unused = (message: string): void => report({ code: "unused_option", message });
  for (const name of Object.keys(handlers.extensions ?? {})) {
    if (name !== "initialize" && name !== "$/cancel_request" && routes(name) === undefined) continue;
    unused(`The handler extensions["${name}"] is not used: ${name} is a method of the protocol.`);
  }
  // Such clients are normal for an agent of several dialects. Therefore these reports are not printed by default.
  const lost = (message: string): void => report({ code: "loss", message });
  if (handlers.mcpCapabilities?.sse && !hasSse) {
    lost(`The option mcpCapabilities.sse is not used: ${dialect} has no MCP servers over SSE.`);
  }
  const terminal = handlers.authMethods?.filter(({ type }) => type === "terminal") ?? [];
  if (terminal.length > 0 && terminal.length === handlers.authMethods?.length && !client.capabilities.terminalLogin) {
    lost("The option authMethods is not used: all methods need a terminal, and the client offers none.");
  }
  if (options.validateOutgoing !== undefined && options.validateOutgoing[dialect] === undefined) {
    unused(`The option validateOutgoing is not used: it has no schemas for ${dialect}. Pass outgoingContracts.`);
  }
}
