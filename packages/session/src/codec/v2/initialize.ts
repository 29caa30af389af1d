import type {
  AgentCapabilities,
  AuthMethod,
  CallCodec,
  Calls,
  ClientCapabilities,
  Implementation,
  NamedValue,
} from "../../call.js";
import type { UnknownTag } from "../../content.js";
import { AUTH_MARKS, SESSION_MARKS } from "../calls.js";
import {
  allMarks,
  elicitationModes,
  encodeClientCapabilities,
  implementation,
  MODES,
  readMarks,
  readSystemPrompt,
  UNKNOWN,
  version,
  writeMarks,
  writeSystemPrompt,
} from "../introduction.js";
import { compact, isMarked, isObject, list, meta, part, required, textOrNull, type Wire } from "../read.js";

/**
 * Call `initialize` of version 2. A client uses it for any draft, because only the answer shows the draft of the agent.
 */
// V2-SEED-04
export const initialize: CallCodec<Calls["initialize"]> = {
  method: "initialize",
  encodeParams: ({ protocolVersion, info, capabilities, plain, _meta }) =>
    compact({
      protocolVersion,
      info,
      capabilities: encodeClient(capabilities),
      ...(plain ? {} : superset(info, capabilities)),
      _meta,
    }),
  // Only these members show the draft of the client (V2-SEED-20).
  decodeParams: (wire) => {
    const { protocolVersion, info, clientInfo, _meta } = wire as Wire;
    const named = implementation(info);
    return compact({
      protocolVersion: version(protocolVersion),
      info: named ?? implementation(clientInfo) ?? UNKNOWN,
      capabilities: decodeClient(part(wire as Wire, "capabilities"), named !== undefined),
      dialect: named === undefined ? "seed" : "v2",
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ protocolVersion, info, capabilities, authMethods, _meta }) =>
    compact({
      protocolVersion,
      info,
      capabilities: compact({
        session:
          capabilities.sessions === false
            ? undefined
            : { ...encodeSessionCapabilities(capabilities), ...writeSystemPrompt(capabilities) },
        _meta: capabilities._meta,
      }),
      authMethods: authMethods.length > 0 ? authMethods : undefined,
      _meta,
    }),
  decodeResult: (wire) => {
    const { protocolVersion, info, agentInfo, authMethods, _meta } = wire as Wire;
    const seedLike = isSeedLike(wire as Wire);
    const methods = list(authMethods, authMethod);
    const agent = part(wire as Wire, "capabilities");
    const offered = seedLike ? seedOffers(agent) : offers(agent, methods.length > 0);
    return compact({
      protocolVersion: version(protocolVersion),
      info: implementation(info) ?? implementation(agentInfo) ?? UNKNOWN,
      capabilities: decodeAgent(agent, offered),
      authMethods: methods,
      dialect: seedLike ? "seed" : "v2",
      _meta: meta(_meta),
    });
  },
};

/** Returns the additional members for an agent that answers with version 1. */
// V2-INIT-18
const superset = (info: Implementation, capabilities: ClientCapabilities): object => ({
  clientInfo: info,
  clientCapabilities: encodeClientCapabilities(capabilities),
});

function encodeClient({ terminalLogin, elicitation, _meta }: ClientCapabilities): object {
  const asks = writeMarks(elicitation, MODES);
  return compact({
    auth: terminalLogin ? { terminal: {} } : undefined,
    elicitation: Object.keys(asks).length > 0 ? asks : undefined,
    _meta,
  });
}

/**
 * Reads the capabilities of a client. In version 2, clients have no files or terminals. They all support the features
 * that are optional in version 1.
 */
function decodeClient(wire: Wire, baseline: boolean): ClientCapabilities {
  return compact({
    files: { read: false, write: false },
    terminals: false,
    terminalLogin: isMarked(part(wire, "auth").terminal),
    elicitation: elicitationModes(wire),
    notices: baseline,
    compaction: baseline,
    subagents: baseline,
    plans: baseline,
    booleanOptions: baseline,
    _meta: meta(wire._meta),
  });
}

const BLOCKS = ["image", "audio", "embeddedContext"] as const;
const TRANSPORTS = ["stdio", "http"] as const;
/** Markers of sessions that exist in older drafts. In the Preview, every agent with sessions has these features. */
export const MARKERS = ["load", "list", "resume", "close"] as const;

/**
 * Returns `true` for an answer of seed. Such an answer has no `info`, which was added later, and has a member that only
 * seed has.
 */
function isSeedLike(wire: Wire): boolean {
  if (implementation(wire.info) !== undefined) return false;
  const capabilities = part(wire, "capabilities");
  const session = part(capabilities, "session");
  const { authMethods } = wire;
  return (
    isObject(wire.agentInfo) ||
    MARKERS.some((marker) => isMarked(session[marker])) ||
    AUTH_MARKS.some((marker) => isMarked(part(capabilities, "auth")[marker])) ||
    (Array.isArray(authMethods) && authMethods.some((one) => isObject(one) && "id" in one && !("methodId" in one)))
  );
}

type Offers = Pick<AgentCapabilities, (typeof MARKERS | typeof AUTH_MARKS)[number] | "sessions">;

/** Returns the capabilities that follow from support for sessions, and those that follow from a login. */
// V2-INIT-16, V2-AUTH-01
function offers(agent: Wire, login: boolean): Offers {
  const sessions = isMarked(agent.session);
  const all = { ...allMarks(MARKERS, sessions), ...allMarks(AUTH_MARKS, login) };
  return sessions ? all : { ...all, sessions };
}

function seedOffers(agent: Wire): Offers {
  return { ...readMarks(part(agent, "session"), MARKERS), ...readMarks(part(agent, "auth"), AUTH_MARKS) };
}

function decodeAgent(wire: Wire, offered: Offers): AgentCapabilities {
  const session = part(wire, "session");
  return compact({
    ...offered,
    ...readMarks(session, SESSION_MARKS),
    systemPrompt: readSystemPrompt(session),
    prompt: readMarks(part(session, "prompt"), BLOCKS),
    mcp: { ...readMarks(part(session, "mcp"), TRANSPORTS), sse: false },
    _meta: meta(wire._meta),
  });
}

/** Encodes the capabilities that do not follow from support for sessions. */
export function encodeSessionCapabilities(capabilities: AgentCapabilities): { readonly [key: string]: unknown } {
  const { prompt, mcp } = capabilities;
  return {
    prompt: writeMarks(prompt, BLOCKS),
    mcp: writeMarks(mcp, TRANSPORTS),
    ...writeMarks(capabilities, SESSION_MARKS),
  };
}

/** Reads a login method, also with the name of older drafts. A method whose type is unknown is not changed. */
// V2-AUTH-04
function authMethod(value: unknown): AuthMethod | undefined {
  if (!isObject(value)) return undefined;
  const methodId = "methodId" in value ? value.methodId : value.id;
  const { type = "agent" } = value;
  if (typeof methodId !== "string" || typeof value.name !== "string" || typeof type !== "string") return undefined;
  const { description, _meta } = value;
  const base = { methodId, name: value.name, description: textOrNull(description), _meta: meta(_meta) };
  if (type === "agent") return compact<AuthMethod>({ ...base, type });
  if (type !== "terminal") return compact({ ...value, ...base, type: type as UnknownTag });
  const args = value.args ?? [];
  const env = value.env ?? [];
  const sound = Array.isArray(args) && args.every((arg) => typeof arg === "string");
  if (!sound || !Array.isArray(env) || !env.every(isNamed)) return undefined;
  return compact<AuthMethod>({ ...base, type, args, env });
}

const isNamed = (value: unknown): value is NamedValue =>
  isObject(value) && required(value.name) !== "" && typeof value.value === "string";
