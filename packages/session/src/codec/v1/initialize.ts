import type { AgentCapabilities, AuthMethod, CallCodec, Calls, ClientCapabilities } from "../../call.js";
import { AUTH_MARKS, SESSION_MARKS } from "../calls.js";
import {
  elicitationModes,
  encodeClientCapabilities,
  implementation,
  readMarks,
  readSystemPrompt,
  UNKNOWN,
  version,
  writeMarks,
  writeSystemPrompt,
} from "../introduction.js";
import { lostIn } from "../losses.js";
import { compact, isMarked, isObject, list, meta, part, text, textOrNull, type Wire } from "../read.js";

/** Call `initialize` of version 1. */
export const initialize: CallCodec<Calls["initialize"]> = {
  method: "initialize",
  encodeParams: ({ protocolVersion, info, capabilities, _meta }) =>
    compact({ protocolVersion, clientCapabilities: encodeClientCapabilities(capabilities), clientInfo: info, _meta }),
  decodeParams: (wire) => {
    const { protocolVersion, clientInfo, info, clientCapabilities, capabilities, _meta } = wire as Wire;
    return compact({
      protocolVersion: version(protocolVersion),
      // A client that requested a later version may have sent these values with their later names only (V2-INIT-19).
      info: implementation(clientInfo) ?? implementation(info) ?? UNKNOWN,
      capabilities:
        clientCapabilities == null && isObject(capabilities)
          ? decodeLater(capabilities)
          : decodeClient(part(wire as Wire, "clientCapabilities")),
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ protocolVersion, info, capabilities, authMethods, _meta }, _peer, onLoss) => {
    const lost = lostIn("v1", "initialize", onLoss);
    const known = authMethods.filter(({ type, methodId }) => {
      if (type !== "agent" && type !== "terminal") lost("unknown", methodId);
      return type === "agent" || type === "terminal";
    });
    return compact({
      protocolVersion,
      agentCapabilities: encodeAgent(capabilities),
      authMethods: known.map(encodeAuthMethod),
      agentInfo: info,
      _meta,
    });
  },
  decodeResult: (wire) => {
    const { protocolVersion, agentInfo, authMethods, _meta } = wire as Wire;
    return compact({
      protocolVersion: version(protocolVersion),
      info: implementation(agentInfo) ?? UNKNOWN,
      capabilities: decodeAgent(part(wire as Wire, "agentCapabilities")),
      authMethods: list(authMethods, authMethod),
      _meta: meta(_meta),
    });
  },
};

function decodeClient(wire: Wire): ClientCapabilities {
  const files = part(wire, "fs");
  const session = part(wire, "session");
  return compact({
    files: { read: files.readTextFile === true, write: files.writeTextFile === true },
    terminals: wire.terminal === true,
    terminalLogin: part(wire, "auth").terminal === true,
    elicitation: elicitationModes(wire),
    notices: isMarked(session.notices),
    compaction: isMarked(session.compaction),
    booleanOptions: isMarked(part(session, "configOptions").boolean),
    // P-SUB1-01, P-PLAN-02
    subagents: isMarked(wire.subagents),
    plans: isMarked(wire.plan),
    _meta: meta(wire._meta),
  });
}

/** Reads the capabilities of a version 2 client, for an agent that answers with version 1. */
// V2-INIT-19
function decodeLater({ auth, elicitation, _meta }: Wire): ClientCapabilities {
  const terminalLogin = isMarked(part({ auth }, "auth").terminal);
  return { ...decodeClient({ elicitation, _meta }), terminalLogin, booleanOptions: true };
}

const MARKS = ["list", "resume", "close"] as const;

function encodeAgent(capabilities: AgentCapabilities): object {
  const { prompt, mcp, _meta } = capabilities;
  return compact({
    loadSession: capabilities.load,
    promptCapabilities: prompt,
    mcpCapabilities: { http: mcp.http, sse: mcp.sse },
    sessionCapabilities: {
      ...writeMarks(capabilities, MARKS),
      ...writeMarks(capabilities, SESSION_MARKS),
      ...writeSystemPrompt(capabilities),
    },
    auth: writeMarks(capabilities, AUTH_MARKS),
    _meta,
  });
}

function decodeAgent(wire: Wire): AgentCapabilities {
  const session = part(wire, "sessionCapabilities");
  const prompt = part(wire, "promptCapabilities");
  const mcp = part(wire, "mcpCapabilities");
  return compact({
    load: wire.loadSession === true,
    ...readMarks(session, MARKS),
    ...readMarks(session, SESSION_MARKS),
    systemPrompt: readSystemPrompt(session),
    ...readMarks(part(wire, "auth"), AUTH_MARKS),
    prompt: {
      image: prompt.image === true,
      audio: prompt.audio === true,
      embeddedContext: prompt.embeddedContext === true,
    },
    // Every version 1 agent supports servers over stdio (V1-SESS-15).
    mcp: { stdio: true, http: mcp.http === true, sse: mcp.sse === true },
    _meta: meta(wire._meta),
  });
}

/**
 * Reads a login method. Every method except `terminal` belongs to the agent. A malformed `terminal` method is dropped.
 */
// V1-AUTH-02, V1-AUTH-03
function authMethod(value: unknown): AuthMethod | undefined {
  if (!isObject(value) || typeof value.id !== "string" || typeof value.name !== "string") return undefined;
  const { id: methodId, name } = value;
  const base = { methodId, name, description: textOrNull(value.description), _meta: meta(value._meta) };
  if (value.type !== "terminal") return compact<AuthMethod>({ ...base, type: "agent" });
  const args = value.args ?? [];
  const env = value.env ?? {};
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string") || !isObject(env)) return undefined;
  const variables = Object.entries(env);
  if (!variables.every(([, one]) => typeof one === "string")) return undefined;
  const named = variables.map(([key, one]) => ({ name: key, value: text(one) ?? "" }));
  return compact<AuthMethod>({ ...base, type: "terminal", args, env: named });
}

function encodeAuthMethod(method: AuthMethod): object {
  const { methodId: id, name, description, _meta } = method;
  if (method.type !== "terminal") return compact({ id, name, description, _meta });
  const env = Object.fromEntries(method.env.map((variable) => [variable.name, variable.value]));
  return compact({ type: "terminal", id, name, description, args: method.args, env, _meta });
}
