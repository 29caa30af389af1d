import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/client";
import type { ContentBlock, ToolCallContent } from "@turnkit/agent";
import { ToolError } from "../errors.js";
import { requireObject } from "../tools/raw-input.js";
import { type EndedOutput, runCall } from "../tools/run-call.js";
import type { Tool } from "../tools/tool.js";
import type { McpConnection } from "./connection.js";

const MAX_DESCRIPTION_LENGTH = 4000;
const MAX_SCHEMA_LENGTH = 64 * 1024;
/** Largest length of a tool name that all model providers accept. */
const MAX_NAME_LENGTH = 64;
const MAX_SERVER_LENGTH = 24;

/**
 * Returns the tools of a server as tools of the agent, named `server__tool`. Tools whose input schema is larger than 64
 * KiB are left out.
 *
 * @param taken names that are in use; the function adds the new names
 */
export function toolsOf(connection: McpConnection, taken: Set<string>): readonly Tool[] {
  return connection.tools
    .filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= MAX_SCHEMA_LENGTH)
    .map((listed) => mcpTool(connection, listed, freeName(connection.name, listed.name, taken)));
}

function mcpTool(connection: McpConnection, listed: ListedTool, name: string): Tool {
  return {
    name,
    description: (listed.description ?? listed.title ?? listed.name).slice(0, MAX_DESCRIPTION_LENGTH),
    inputSchema: listed.inputSchema,
    // A server's `readOnlyHint` is not proof that the tool changes nothing.
    parallel: false,
    open(input, context) {
      const stopped = new AbortController();
      const call = context.turn.toolCall({
        name,
        title: titleOf(connection.name, listed),
        // Policies of clients decide by the kind, and a server could declare a wrong kind.
        kind: "other",
        rawInput: input,
        onCancel: () => stopped.abort(new ToolError("cancelled", "The user stopped the call.")),
      });
      const signal = AbortSignal.any([context.signal, stopped.signal]);
      const run = async (): Promise<EndedOutput> => {
        const inputs = requireObject(input);
        // The server may have changed the tool after the model saw it.
        const findTool = () => connection.tools.find(({ name }) => name === listed.name) ?? listed;
        const current = findTool();
        const definition = connection.definitionOf(current);
        const readOnly = current.annotations?.readOnlyHint === true;
        const action = { type: "mcp", server: connection.name, tool: listed.name, definition, readOnly } as const;
        const decision = await context.permission.decide(call, action);
        context.signal.throwIfAborted();
        if (connection.definitionOf(findTool()) !== definition) {
          throw new ToolError("stale", "The server changed the tool during the question; it was not used.");
        }
        if (decision === "review_only") {
          throw new ToolError("denied", "Only tools that read are used in `review` mode.");
        }
        if (decision !== "allowed") {
          throw new ToolError("denied", `The tool was not used: the user ${decision} the call.`);
        }
        await call.update({ status: "in_progress" });
        const result = await connection.call(listed.name, inputs, signal);
        const { content, text } = readToolResult(result);
        const output = result.isError
          ? ({ type: "error", code: "failed", message: text } as const)
          : ({ type: "text", value: text } as const);
        return { ...output, end: { content, status: result.isError ? "failed" : "completed", rawOutput: { text } } };
      };
      return { call, run: () => runCall(call, signal, run) };
    },
  };
}

const MAX_TITLE_PART = 60;

/** Returns the title of a call. The server's name comes first, because the server chooses the rest of the title. */
function titleOf(server: string, { name, title, annotations }: ListedTool): string {
  const cut = (text: string) => (text.length > MAX_TITLE_PART ? `${text.slice(0, MAX_TITLE_PART - 1)}…` : text);
  const own = annotations?.title ?? title;
  return `${cut(server)}: ${cut(name)}${own === undefined ? "" : ` (${cut(own)})`}`;
}

/** Returns a name that every provider accepts and no other tool has. */
function freeName(server: string, tool: string, taken: Set<string>): string {
  const plain = (text: string) => text.replace(/[^\w-]/g, "_");
  const wanted = `${plain(server).slice(0, MAX_SERVER_LENGTH) || "server"}__${plain(tool)}`.slice(0, MAX_NAME_LENGTH);
  let name = wanted;
  for (let serial = 2; taken.has(name); serial += 1) {
    name = `${wanted.slice(0, MAX_NAME_LENGTH - `_${serial}`.length)}_${serial}`;
  }
  taken.add(name);
  return name;
}

/** Bounds of a result, in characters: the text for the model, and the JSON for the user. */
const MAX_MODEL_LENGTH = 100_000;
const MAX_SHOWN_LENGTH = 2 * 1024 * 1024;

type ShownResult = { readonly content: readonly ToolCallContent[]; readonly text: string };

/**
 * Converts the result of a server's tool. Content blocks of unknown types are dropped. Long results are cut; a note
 * says so.
 */
function readToolResult({ content, structuredContent }: CallToolResult): ShownResult {
  const blocks: ContentBlock[] = [];
  const texts: string[] = [];
  let room = MAX_SHOWN_LENGTH;
  for (const item of content) {
    const block = toBlock(item);
    if (block === undefined) continue;
    texts.push(describe(block));
    room -= JSON.stringify(block).length;
    if (room >= 0) blocks.push(block);
  }
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  if (room < 0) blocks.push({ type: "text", text: "[The rest of the result is too large to be shown.]" });
  const text = texts.join("\n");
  return {
    content: blocks.map((block) => ({ type: "content", content: block })),
    text: text.length > MAX_MODEL_LENGTH ? `${text.slice(0, MAX_MODEL_LENGTH)}\n[The rest was cut off.]` : text,
  };
}

/** Converts a content block from MCP to ACP. Only members that both protocols have are copied. */
function toBlock(item: CallToolResult["content"][number]): ContentBlock | undefined {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "image":
    case "audio":
      return { type: item.type, data: item.data, mimeType: item.mimeType };
    case "resource_link": {
      const { uri, name, title, description, mimeType } = item;
      return { type: "resource_link", uri, name, title, description, mimeType };
    }
    case "resource": {
      const { uri, mimeType } = item.resource;
      const body = "text" in item.resource ? { text: item.resource.text } : { blob: item.resource.blob };
      return { type: "resource", resource: { uri, mimeType, ...body } };
    }
    default:
      return undefined;
  }
}

/** Returns a content block as text for the model. The model cannot see pictures and sounds, so a note replaces them. */
function describe(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}, ${block.mimeType}, shown to the user]`;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : `[${block.resource.uri}]`;
    default:
      return "";
  }
}
