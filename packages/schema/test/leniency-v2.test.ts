import { describe, expect, it } from "vitest";
import { parse, type Schema } from "../src/index.js";
import * as v2 from "../src/v2/unstable/index.js";
import { type Case, expectOutcome } from "./outcome.js";

const hello = { protocolVersion: 2, info: { name: "a", version: "1" } };
const text = { type: "text", text: "a" };
const call = { toolCallId: "t" };
const session = { sessionId: "s", cwd: "/a" };
const option = { type: "boolean", configId: "o", name: "O", currentValue: true };
const command = { type: "command", name: "a", description: "A" };
const value = { value: "a", name: "A" };
const choice = { const: "a", title: "A" };
const allow = { optionId: "y", name: "Yes", kind: "allow_once" };
const terminal = { type: "terminal", terminalId: "x" };

describe("a malformed optional member reads as left out (V2-DEC-01)", () => {
  it.each<Case>([
    [
      "of a patch: what was known stays",
      v2.toolCallUpdate,
      { ...call, title: 5, name: {}, kind: 1, status: [], locations: 1 },
      { salvaged: ["name", "title", "kind", "status", "locations"], as: call },
    ],
    [
      "a group of capabilities: none of them",
      v2.initializeResponse,
      { ...hello, capabilities: { session: [], auth: 1 } },
      { salvaged: ["capabilities.session", "capabilities.auth"], as: { ...hello, capabilities: {} } },
    ],
    [
      "one capability: not that one",
      v2.agentCapabilities,
      { session: { delete: true, prompt: { image: "yes", audio: {} } } },
      { salvaged: ["session.prompt.image", "session.delete"], as: { session: { prompt: { audio: {} } } } },
    ],
    [
      "a list: nothing in it",
      v2.newSessionResponse,
      { sessionId: "s", configOptions: "none", availableCommands: {} },
      { salvaged: ["configOptions", "availableCommands"], as: { sessionId: "s" } },
    ],
    [
      "text to show",
      v2.terminalUpdate,
      { terminalId: "x", command: 5, cwd: [], output: "a", exitStatus: 0, size: "80x24" },
      { salvaged: ["command", "cwd", "output", "exitStatus", "size"], as: { terminalId: "x" } },
    ],
  ])("%s", (_, schema, message, outcome) => expectOutcome(schema, message, outcome));

  it("`_meta` does so on every object", () => {
    const objects = Object.entries(v2).filter(([, schema]) => isSchema(schema) && schema._zod.def.kind === "object");
    expect(objects.length).toBeGreaterThan(90);
    for (const [name, schema] of objects) {
      const { _meta } = (schema as Schema)._zod.def.parts?.() ?? {};
      for (const bad of [[1], "a", 5, true]) {
        const read = _meta && parse(_meta, bad);
        expect(read, name).toMatchObject({ value: undefined, salvaged: [{ path: [] }] });
      }
      for (const good of [{}, { a: 1 }]) expect(_meta && parse(_meta, good), name).toEqual({ value: good });
    }
  });
});

const isSchema = (schema: unknown): schema is Schema =>
  typeof schema === "object" && schema !== null && "_zod" in schema;

describe("lists that lose their bad items and keep the others (V2-DEC-04)", () => {
  it.each<[string, string, Schema, object, unknown, "absent" | "empty" | "refused"]>([
    ["tool call", "content", v2.toolCallUpdate, call, terminal, "absent"],
    ["tool call", "locations", v2.toolCallUpdate, call, { path: "/a" }, "absent"],
    ["user message", "content", v2.userMessage, { messageId: "m" }, text, "absent"],
    ["agent message", "content", v2.agentMessage, { messageId: "m" }, text, "absent"],
    ["compaction", "summary", v2.compactionUpdate, { compactionId: "c", status: "completed" }, text, "absent"],
    ["diff", "changes", v2.diff, {}, { operation: "add", path: "/a" }, "refused"],
    ["plan", "entries", v2.planItems, { planId: "p" }, { content: "a", priority: "low", status: "pending" }, "refused"],
    ["update of commands", "availableCommands", v2.availableCommandsUpdate, {}, command, "refused"],
    ["update of options", "configOptions", v2.configOptionUpdate, {}, option, "refused"],
    ["answer to a choice", "configOptions", v2.setSessionConfigOptionResponse, {}, option, "refused"],
    ["new session", "availableCommands", v2.newSessionResponse, { sessionId: "s" }, command, "absent"],
    ["new session", "configOptions", v2.newSessionResponse, { sessionId: "s" }, option, "absent"],
    ["restored session", "configOptions", v2.resumeSessionResponse, {}, option, "absent"],
    ["group of values", "options", v2.sessionConfigSelectGroup, { groupId: "g", name: "G" }, value, "empty"],
    ["list of sessions", "sessions", v2.listSessionsResponse, {}, session, "empty"],
    ["hello", "authMethods", v2.initializeResponse, hello, { type: "agent", methodId: "m", name: "M" }, "absent"],
    ["annotations", "audience", v2.annotations, {}, "user", "absent"],
    ["icon", "sizes", v2.icon, { src: "https://a.test/i.png" }, "any", "absent"],
    ["link", "icons", v2.resourceLink, { uri: "a:b", name: "a" }, { src: "https://a.test/i.png" }, "absent"],
    ["multi-select", "default", v2.multiSelectPropertySchema, { items: { anyOf: [choice] } }, "a", "absent"],
    ["login status", "accounts", v2.authStatusResponse, { state: "unknown" }, { label: "a" }, "absent"],
    ["provider", "supported", v2.providerInfo, { providerId: "p", required: true }, "openai", "empty"],
  ])("%s: %s", (_, key, schema, others, good, whole) => {
    const salvaged = [`${key}.1`];
    expectOutcome(schema, { ...others, [key]: [good, 5, good] }, { salvaged, as: { ...others, [key]: [good, good] } });

    const absent = { salvaged: [key], as: others };
    const empty = { salvaged: [key], as: { ...others, [key]: [] } };
    const refused = { refused: [key] };
    expectOutcome(schema, { ...others, [key]: 5 }, { absent, empty, refused }[whole]);
    if (whole === "absent") expect(parse(schema, others)).toEqual({ value: others });
    else expectOutcome(schema, others, refused);
  });
});

describe("lists that one bad item spoils (V2-DEC-05)", () => {
  const server = { type: "stdio", name: "n", command: "/n" };
  const question = { sessionId: "s", title: "T" };
  const variable = { name: "A", value: "1" };

  it.each<[string, string, Schema, object, unknown]>([
    ["permission", "options", v2.requestPermissionRequest, question, allow],
    ["prompt", "prompt", v2.promptRequest, { sessionId: "s" }, text],
    ["new session", "mcpServers", v2.newSessionRequest, { cwd: "/a" }, server],
    ["new session", "additionalDirectories", v2.newSessionRequest, { cwd: "/a" }, "/b"],
    ["server", "args", v2.mcpServerStdio, server, "a"],
    ["server", "env", v2.mcpServerStdio, server, variable],
    ["server over HTTP", "headers", v2.mcpServerHttp, { name: "n", url: "https://a.test" }, variable],
    ["select", "options", v2.sessionConfigSelect, { currentValue: "a" }, value],
    ["form", "required", v2.elicitationSchema, { type: "object", properties: {} }, "a"],
    ["choice", "enum", v2.stringPropertySchema, {}, "a"],
    ["titled choice", "oneOf", v2.stringPropertySchema, {}, choice],
    ["choices", "enum", v2.stringMultiSelectItems, {}, "a"],
    ["titled choices", "anyOf", v2.titledMultiSelectItems, {}, choice],
    ["system prompt", "content", v2.systemPrompt, { mode: "append" }, text],
    ["providers", "providers", v2.listProvidersResponse, {}, { providerId: "p", supported: [], required: true }],
  ])("%s: %s", (_, key, schema, others, good) => {
    expect(parse(schema, { ...others, [key]: [good] }).issues).toBeUndefined();
    const { issues = [] } = parse(schema, { ...others, [key]: [good, 5, good] });
    expect(issues.map(({ path }) => path.slice(0, 2))).toContainEqual([key, 1]);
  });

  it.each<Case>([
    [
      "background work: none is reported then",
      v2.runningStateUpdate,
      { background: [terminal, { type: "tool_call" }] },
      { salvaged: ["background"], as: {} },
    ],
    [
      "in an entry of a list of sessions: the entry is dropped",
      v2.listSessionsResponse,
      { sessions: [{ ...session, additionalDirectories: ["/b", 5] }, session] },
      { salvaged: ["sessions.0"], as: { sessions: [session] } },
    ],
    [
      "in a way to log in: that way is dropped",
      v2.initializeResponse,
      { ...hello, authMethods: [{ type: "terminal", methodId: "m", name: "M", env: [variable, 5] }] },
      { salvaged: ["authMethods.0"], as: { ...hello, authMethods: [] } },
    ],
  ])("%s", (_, schema, message, outcome) => expectOutcome(schema, message, outcome));
});
