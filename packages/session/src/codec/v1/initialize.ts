import type {
  AgentCapabilities,
  AuthMethod,
  CallCodec,
  Calls,
  ClientCapabilities,
  Implementation,
} from "../../call.js";
import { compact, isMarked, isObject, list, meta, part, text, textOrNull, type Wire } from "./read.js";

type Initialize = Calls["initialize"];

const UNKNOWN: Implementation = { name: "unknown", version: "unknown" };
const mark = (offered: boolean): object | undefined => (offered ? {} : undefined);

/** `initialize` of version 1. */
export const initialize: CallCodec<Initialize> = {
  method: "initialize",
  encodeParams: ({ protocolVersion, info, capabilities, _meta }) =>
    compact({ protocolVersion, clientCapabilities: encodeClient(capabilities), clientInfo: info, _meta }),
  decodeParams: (wire) => {
    const { protocolVersion, clientInfo, _meta } = wire as Wire;
    return compact({
      protocolVersion: version(protocolVersion),
      info: implementation(clientInfo) ?? UNKNOWN,
      capabilities: decodeClient(part(wire as Wire, "clientCapabilities")),
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ protocolVersion, info, capabilities, authMethods, _meta }) =>
    compact({
      protocolVersion,
      agentCapabilities: encodeAgent(capabilities),
      authMethods: authMethods.map(encodeAuthMethod).filter((method) => method !== undefined),
      agentInfo: info,
      _meta,
    }),
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

const version = (value: unknown): number => (typeof value === "number" ? value : 0);

function implementation(value: unknown): Implementation | undefined {
  if (!isObject(value) || typeof value.name !== "string" || typeof value.version !== "string") return undefined;
  const { name, version, title, _meta } = value;
  return compact({ ...value, name, version, title: textOrNull(title), _meta: meta(_meta) });
}

function encodeClient(capabilities: ClientCapabilities): object {
  const { files, terminals, terminalLogin, elicitation, notices, compaction, booleanOptions, _meta } = capabilities;
  const session = compact({
    compaction: mark(compaction),
    configOptions: booleanOptions ? { boolean: {} } : undefined,
    notices: mark(notices),
  });
  const asks = compact({ form: mark(elicitation.form), url: mark(elicitation.url) });
  return compact({
    fs: { readTextFile: files.read, writeTextFile: files.write },
    terminal: terminals,
    auth: { terminal: terminalLogin },
    session: Object.keys(session).length > 0 ? session : undefined,
    elicitation: Object.keys(asks).length > 0 ? asks : undefined,
    _meta,
  });
}

function decodeClient(wire: Wire): ClientCapabilities {
  const files = part(wire, "fs");
  const session = part(wire, "session");
  const elicitation = part(wire, "elicitation");
  return compact({
    files: { read: files.readTextFile === true, write: files.writeTextFile === true },
    terminals: wire.terminal === true,
    terminalLogin: part(wire, "auth").terminal === true,
    elicitation: { form: isMarked(elicitation.form), url: isMarked(elicitation.url) },
    notices: isMarked(session.notices),
    compaction: isMarked(session.compaction),
    booleanOptions: isMarked(part(session, "configOptions").boolean),
    _meta: meta(wire._meta),
  });
}

function encodeAgent(capabilities: AgentCapabilities): object {
  const { prompt, mcp, _meta } = capabilities;
  return compact({
    loadSession: capabilities.load,
    promptCapabilities: { image: prompt.image, audio: prompt.audio, embeddedContext: prompt.embeddedContext },
    mcpCapabilities: { http: mcp.http, sse: mcp.sse },
    sessionCapabilities: compact({
      list: mark(capabilities.list),
      delete: mark(capabilities.delete),
      additionalDirectories: mark(capabilities.additionalDirectories),
      resume: mark(capabilities.resume),
      close: mark(capabilities.close),
    }),
    auth: compact({ logout: mark(capabilities.logout) }),
    _meta,
  });
}

function decodeAgent(wire: Wire): AgentCapabilities {
  const session = part(wire, "sessionCapabilities");
  const prompt = part(wire, "promptCapabilities");
  const mcp = part(wire, "mcpCapabilities");
  return compact({
    load: wire.loadSession === true,
    resume: isMarked(session.resume),
    list: isMarked(session.list),
    close: isMarked(session.close),
    delete: isMarked(session.delete),
    additionalDirectories: isMarked(session.additionalDirectories),
    logout: isMarked(part(wire, "auth").logout),
    prompt: {
      image: prompt.image === true,
      audio: prompt.audio === true,
      embeddedContext: prompt.embeddedContext === true,
    },
    // Every version 1 agent takes servers over stdio (V1-SESS-15).
    mcp: { stdio: true, http: mcp.http === true, sse: mcp.sse === true },
    _meta: meta(wire._meta),
  });
}

/** What is not of type `terminal` is the agent's own way (V1-AUTH-02); a broken terminal one is dropped (V1-AUTH-03). */
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

function encodeAuthMethod(method: AuthMethod): object | undefined {
  const { methodId: id, name, description, _meta } = method;
  if (method.type === "agent") return compact({ id, name, description, _meta });
  if (method.type !== "terminal") return undefined;
  const env = Object.fromEntries(method.env.map((variable) => [variable.name, variable.value]));
  return compact({ type: "terminal", id, name, description, args: method.args, env, _meta });
}
