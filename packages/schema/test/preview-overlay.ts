import { type Official, type OfficialNode, officialOf, readPublished } from "./official-schema.js";

/**
 * Differences between the official schemas of SDK 2.4.0 (2 November 2026) and the Preview of version 2 and version 1 of
 * 20 November 2026 (schema crate 1.20). No published SDK has them yet. When one does, its rows here fail as no longer
 * needed.
 */
export const overlay = { date: "2026-11-22", crate: "1.20.0", base: "@agentclientprotocol/sdk 2.4.0" } as const;

type Where = "v1" | "v2";

/** One difference. It changes the stable schema of a version, and the unstable one unless that has it already. */
export type Row = {
  readonly requirement: string;
  readonly version: Where;
  readonly reason: string;
} & (
  | { readonly kind: "stable definitions"; readonly names: readonly string[] }
  | { readonly kind: "stable variants"; readonly of: string; readonly tag: string; readonly names: readonly string[] }
  | { readonly kind: "stable member"; readonly of: readonly string[]; readonly name: string }
  | { readonly kind: "definition"; readonly name: string; readonly node: OfficialNode }
  | { readonly kind: "variant"; readonly of: string; readonly tag: string; readonly name: string; readonly as: string }
  | { readonly kind: "member"; readonly of: string; readonly name: string; readonly node: OfficialNode }
  | { readonly kind: "optional"; readonly of: string; readonly name: string; readonly node: OfficialNode }
  | { readonly kind: "at least one"; readonly of: string; readonly name: string }
);

const meta: OfficialNode = {
  type: ["object", "null"],
  additionalProperties: true,
  "x-deserialize-default-on-error": true,
};
const ref = (name: string): OfficialNode => ({ $ref: `#/$defs/${name}` });
const lenientOrNull = (name: string): OfficialNode => ({
  anyOf: [ref(name), { type: "null" }],
  "x-deserialize-default-on-error": true,
});
const link: OfficialNode = {
  type: "object",
  properties: { sessionId: { allOf: [ref("SessionId")] }, _meta: meta },
  required: ["sessionId"],
};
const path: OfficialNode = { type: ["string", "null"], "x-deserialize-default-on-error": true };
const children = ["SessionCancelCapabilities", "SubagentSessionCapabilities", "SubagentUpdate"];
const messages = ["SessionMessage", "SessionMessageChunk"];
const systemPrompts = [
  "SystemPrompt",
  "SystemPromptMode",
  "SessionSystemPromptCapabilities",
  "SessionSystemPromptModeCapabilities",
  "SessionSystemPromptOverrideCapabilities",
];
const childStates = [
  "StateUpdate",
  "RunningStateUpdate",
  "IdleStateUpdate",
  "RequiresActionStateUpdate",
  "UnknownStateUpdate",
  "ErrorStopReason",
];
const childUpdates = ["subagent_update", "session_message", "session_message_chunk"];

/** All differences, in the order in which they are applied. */
export const rows: readonly Row[] = [
  ...both("P-SUB-05", "child sessions are stable", {
    kind: "stable definitions",
    names: [...children, ...messages],
  }),
  ...both("P-SUB-05", "child sessions are stable", {
    kind: "stable variants",
    of: "SessionUpdate",
    tag: "sessionUpdate",
    names: childUpdates,
  }),
  {
    ...{ requirement: "P-SUB1-01", version: "v1", reason: "clients opt in to child sessions" },
    ...{ kind: "stable definitions", names: ["SubagentCapabilities"] },
  },
  {
    ...{ requirement: "P-SUB1-01", version: "v1", reason: "clients opt in to child sessions" },
    ...{ kind: "stable member", of: ["ClientCapabilities"], name: "subagents" },
  },
  {
    ...{ requirement: "P-SUB1-03", version: "v1", reason: "the parent reports the state of its children" },
    ...{ kind: "stable definitions", names: childStates },
  },
  {
    ...{ requirement: "P-BG-01", version: "v2", reason: "a child may work in the background" },
    ...{ kind: "stable definitions", names: ["BackgroundSubagent", "UnknownStateUpdate"] },
  },
  {
    ...{ requirement: "P-BG-01", version: "v2", reason: "a child may work in the background" },
    ...{ kind: "stable variants", of: "BackgroundWork", tag: "type", names: ["subagent"] },
  },
  {
    ...{ requirement: "P-SUB-14", version: "v2", reason: "the state of a child may be unknown" },
    ...{ kind: "stable variants", of: "StateUpdate", tag: "state", names: ["unknown"] },
  },
  ...both("P-SUB-17", "tool calls link to sessions", { kind: "definition", name: "SessionReference", node: link }),
  ...both("P-SUB-17", "tool calls link to sessions", {
    kind: "variant",
    of: "ToolCallContent",
    tag: "type",
    name: "session",
    as: "SessionReference",
  }),
  {
    ...{ requirement: "P-REPLAY-01", version: "v2", reason: "a marker ends the replay" },
    ...{ kind: "definition", name: "ReplayComplete", node: { type: "object", properties: { _meta: meta } } },
  },
  {
    ...{ requirement: "P-REPLAY-01", version: "v2", reason: "a marker ends the replay" },
    ...{ kind: "variant", of: "SessionUpdate", tag: "sessionUpdate", name: "replay_complete", as: "ReplayComplete" },
  },
  {
    ...{ requirement: "P-IDEM-01", version: "v2", reason: "prompts may have a key" },
    ...{ kind: "definition", name: "IdempotencyKey", node: { type: "string", minLength: 1, maxLength: 255 } },
  },
  {
    ...{ requirement: "P-IDEM-01", version: "v2", reason: "prompts may have a key" },
    ...{ kind: "member", of: "PromptRequest", name: "idempotencyKey" },
    node: { anyOf: [ref("IdempotencyKey"), { type: "null" }] },
  },
  {
    ...{ requirement: "P-PLAN-02", version: "v1", reason: "plan operations are stable" },
    ...{ kind: "stable definitions", names: ["PlanCapabilities", "PlanId", "PlanItems", "PlanUpdate"] },
  },
  ...both("P-PLAN-01", "plan operations are stable", {
    kind: "stable definitions",
    names: ["PlanMarkdown", "PlanRemoved"],
  }),
  {
    ...{ requirement: "P-PLAN-02", version: "v1", reason: "plan operations are stable, files are gone" },
    ...{ kind: "definition", name: "PlanUpdateContent" },
    node: { oneOf: [variant("type", "items", "PlanItems"), variant("type", "markdown", "PlanMarkdown")] },
  },
  {
    ...{ requirement: "P-PLAN-01", version: "v2", reason: "Markdown plans are stable" },
    ...{ kind: "stable variants", of: "PlanUpdateContent", tag: "type", names: ["markdown"] },
  },
  {
    ...{ requirement: "P-PLAN-02", version: "v1", reason: "plan operations are stable" },
    ...{ kind: "stable variants", of: "SessionUpdate", tag: "sessionUpdate", names: ["plan_update", "plan_removed"] },
  },
  {
    ...{ requirement: "P-PLAN-01", version: "v2", reason: "plan operations are stable" },
    ...{ kind: "stable variants", of: "SessionUpdate", tag: "sessionUpdate", names: ["plan_removed"] },
  },
  {
    ...{ requirement: "P-PLAN-02", version: "v1", reason: "clients opt in to plan operations" },
    ...{ kind: "stable member", of: ["ClientCapabilities"], name: "plan" },
  },
  ...both("P-PLAN-04", "a Markdown plan may be a file", {
    kind: "member",
    of: "PlanMarkdown",
    name: "path",
    node: path,
  }),
  {
    ...{ requirement: "P-COMP-01", version: "v2", reason: "the status is a patch" },
    ...{ kind: "optional", of: "CompactionUpdate", name: "status", node: lenientOrNull("CompactionStatus") },
  },
  ...both("P-SYS-01", "system prompts are stable", { kind: "stable definitions", names: systemPrompts }),
  ...both("P-CAP-01", "system prompts are stable", {
    kind: "stable member",
    of: ["SessionCapabilities"],
    name: "systemPrompt",
  }),
  ...both("P-SYS-01", "system prompts are stable", {
    kind: "stable member",
    of: ["NewSessionRequest", "LoadSessionRequest", "ResumeSessionRequest"],
    name: "systemPrompt",
  }),
  {
    ...{ requirement: "P-SYS-03", version: "v2", reason: "a system prompt has content" },
    ...{ kind: "at least one", of: "SystemPrompt", name: "content" },
  },
];

/** Reads one of the official schemas, with the differences of the Preview. */
export function readPreview(version: "v1" | "v2", file: "schema" | "schema.unstable"): Official {
  const document = readPublished(version, file);
  const unstable = readPublished(version, "schema.unstable").$defs;
  for (const row of rows) if (row.version === version) apply(row, document.$defs, unstable);
  return officialOf(document);
}

type Change = Row extends infer R ? (R extends Row ? Omit<R, "requirement" | "version" | "reason"> : never) : never;

function both(requirement: string, reason: string, change: Change): Row[] {
  return (["v1", "v2"] as const).map((version) => ({ requirement, version, reason, ...change }) as Row);
}

function variant(tag: string, name: string, as: string): OfficialNode {
  return {
    type: "object",
    properties: { [tag]: { type: "string", const: name } },
    required: [tag],
    allOf: [ref(as)],
  };
}

type Node = { -readonly [K in keyof OfficialNode]: OfficialNode[K] };
type Definitions = Record<string, Node>;

/**
 * Applies a row to the definitions of a schema, in place. Returns false if nothing changed: the schema has it already.
 * `unstable` are the definitions of the unstable schema of the same version.
 */
export function apply(row: Row, definitions: Definitions, unstable: Official["definitions"]): boolean {
  const before = JSON.stringify(definitions);
  switch (row.kind) {
    case "stable definitions":
      for (const name of row.names) definitions[name] ??= withoutUnstable(structuredClone(unstable[name] ?? {}));
      break;
    case "stable variants":
      for (const name of row.names) {
        const found = branchesOf(unstable[row.of]).find((branch) => branch.properties?.[row.tag]?.const === name);
        if (found !== undefined) addVariant(definitions[row.of], row.tag, name, found);
      }
      break;
    case "stable member":
      for (const of of row.of) {
        const member = unstable[of]?.properties?.[row.name];
        if (member !== undefined) setMember(definitions[of], row.name, member);
      }
      break;
    case "definition":
      definitions[row.name] ??= structuredClone(row.node);
      break;
    case "variant":
      addVariant(definitions[row.of], row.tag, row.name, variant(row.tag, row.name, row.as));
      break;
    case "member":
      setMember(definitions[row.of], row.name, row.node);
      break;
    case "optional": {
      const node = definitions[row.of];
      if (node?.required?.includes(row.name)) {
        node.required = node.required.filter((name) => name !== row.name);
        node.properties = { ...node.properties, [row.name]: row.node };
      }
      break;
    }
    case "at least one": {
      const node = definitions[row.of];
      const member = node?.properties?.[row.name];
      if (node && member) node.properties = { ...node.properties, [row.name]: { ...member, minItems: 1 } };
    }
  }
  return JSON.stringify(definitions) !== before;
}

/** Members of a stable definition that stay unstable: the tokens of a child's work. */
function withoutUnstable(node: Node): Node {
  const { usage: _, ...properties } = node.properties ?? {};
  return node.properties === undefined ? node : { ...node, properties };
}

const branchesOf = (node: OfficialNode | undefined): readonly OfficialNode[] => node?.anyOf ?? node?.oneOf ?? [];

/** Adds a branch to a union. The branch of unknown tags excludes it. */
function addVariant(node: Node | undefined, tag: string, name: string, branch: OfficialNode): void {
  if (node === undefined || branchesOf(node).some((one) => one.properties?.[tag]?.const === name)) return;
  const excluded = { type: "object", properties: { [tag]: { type: "string", const: name } }, required: [tag] };
  const widened = branchesOf(node).map((one) =>
    one.not === undefined ? one : { ...one, not: { anyOf: [...(one.not.anyOf ?? [one.not]), excluded] } },
  );
  const last = widened.findIndex((one) => one.not !== undefined);
  const at = last < 0 ? widened.length : last;
  node[node.anyOf ? "anyOf" : "oneOf"] = [...widened.slice(0, at), structuredClone(branch), ...widened.slice(at)];
}

function setMember(node: Node | undefined, name: string, member: OfficialNode): void {
  if (node !== undefined && node.properties?.[name] === undefined)
    node.properties = { ...node.properties, [name]: structuredClone(member) };
}
