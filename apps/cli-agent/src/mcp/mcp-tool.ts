import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import type { ToolCall } from "@turnkit/agent";
import { messageOf, ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import type { Tool, ToolContext } from "../tools/tool.js";
import type { McpConnection } from "./connection.js";
import { readToolResult } from "./tool-result.js";

const MAX_DESCRIPTION_LENGTH = 4000;
const MAX_SCHEMA_LENGTH = 64 * 1024;
/** Longest name that model providers accept. */
const MAX_NAME_LENGTH = 64;
const MAX_SERVER_LENGTH = 24;

/**
 * Returns the tools of a server as tools of the agent, named `server__tool`. A tool whose input schema exceeds 64 KiB
 * is left out.
 *
 * @param taken names in use; the new names are added
 */
export function toolsOf(connection: McpConnection, taken: Set<string>): readonly Tool[] {
  return connection.tools
    .filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= MAX_SCHEMA_LENGTH)
    .map((listed) => mcpTool(connection, listed, freeName(`${shortName(connection.name)}__${listed.name}`, taken)));
}

function mcpTool(connection: McpConnection, listed: ListedTool, name: string): Tool {
  return {
    name,
    description: (listed.description ?? listed.title ?? listed.name).slice(0, MAX_DESCRIPTION_LENGTH),
    inputSchema: listed.inputSchema,
    // A server's hint is no proof that a tool changes nothing.
    parallel: false,
    open(input, context) {
      const isReadOnly = listed.annotations?.readOnlyHint === true;
      const stopped = new AbortController();
      const call = context.turn.toolCall({
        name,
        title: `${listed.annotations?.title ?? listed.title ?? listed.name} (${connection.name})`.slice(0, 200),
        kind: isReadOnly ? "read" : "other",
        rawInput: input,
        onCancel: () => stopped.abort(new ToolError("cancelled", "The user stopped the call.")),
      });
      const asked = { tool: listed.name, input: input ?? {}, isReadOnly, stopped: stopped.signal };
      return { call, run: () => propose(call, asked, { connection, context }) };
    },
  };
}

type Asked = {
  readonly tool: string;
  readonly input: unknown;
  readonly isReadOnly: boolean;
  readonly stopped: AbortSignal;
};
type Surroundings = { readonly connection: McpConnection; readonly context: ToolContext };

async function propose(call: ToolCall, asked: Asked, { connection, context }: Surroundings): Promise<ToolOutput> {
  const { permission, signal } = context;
  const { tool, input, isReadOnly, stopped } = asked;
  try {
    if (typeof input !== "object" || Array.isArray(input)) {
      throw new ToolError("invalid_input", "The input must be an object.");
    }
    const decision = await permission.decide(call, {
      type: "mcp",
      server: connection.name,
      tool,
      readOnly: isReadOnly,
    });
    signal.throwIfAborted();
    if (decision === "review_only") throw new ToolError("denied", "Only tools that read are used in `review` mode.");
    if (decision !== "allowed") throw new ToolError("denied", `The tool was not used: the user ${decision} the call.`);
    await call.update({ status: "in_progress" });
    const arguments_ = input as Record<string, unknown>;
    const result = await connection.call(tool, arguments_, AbortSignal.any([signal, stopped]));
    const { content, text } = readToolResult(result);
    await call.update({ content, status: result.isError ? "failed" : "completed", rawOutput: { text } });
    return result.isError ? { type: "error", code: "failed", message: text } : { type: "text", value: text };
  } catch (error) {
    const isStopped = stopped.aborted && !signal.aborted;
    if (signal.aborted || isStopped) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw isStopped ? stopped.reason : error;
  }
}

/** Returns a name that every provider accepts and no other tool has. */
function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replace(/[^\w-]/g, "_").slice(0, MAX_NAME_LENGTH);
  let name = plain;
  for (let serial = 2; taken.has(name); serial += 1) {
    name = `${plain.slice(0, MAX_NAME_LENGTH - `_${serial}`.length)}_${serial}`;
  }
  taken.add(name);
  return name;
}

function shortName(server: string): string {
  return server.replace(/[^\w-]/g, "_").slice(0, MAX_SERVER_LENGTH) || "server";
}
