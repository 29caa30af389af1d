import type { AgentCapabilities, ContentBlock, SessionWorkspace, SystemPrompt } from "@turnkit/session";
import { neededCapability } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { isAbsolute } from "./absolute-path.js";
import type { AgentHandlers } from "./agent-handlers.js";
import type { CallHandlers } from "./driver/driver.js";

type Needed = typeof neededCapability;

/** Returns the capabilities that follow from handlers. */
export function capabilitiesOf<S>(handlers: AgentHandlers<S>): AgentCapabilities {
  const { image = false, audio = false, embeddedContext = false } = handlers.promptCapabilities ?? {};
  const { http = false, sse = false } = handlers.mcpCapabilities ?? {};
  const { additionalDirectories = false, systemPrompt } = handlers.sessionCapabilities ?? {};
  const { customCapabilities } = handlers;
  const restores = handlers.restoreSession !== undefined;
  return {
    ...capabilitiesByName(handlers),
    load: restores,
    resume: restores,
    close: true,
    ...(handlers.log && { load: true, resume: true, list: true, delete: true }),
    additionalDirectories,
    ...(systemPrompt && { systemPrompt: { override: systemPrompt === "override" } }),
    prompt: { image, audio, embeddedContext },
    mcp: { stdio: true, http, sse },
    ...(customCapabilities && { _meta: customCapabilities }),
  };
}

/** Returns the capabilities of calls whose handlers have the same names. */
function capabilitiesByName(handlers: { readonly [name: string]: unknown }): {
  readonly [C in Needed[keyof Needed]]: boolean;
} {
  const entries = Object.entries(neededCapability).map(([name, needed]) => [needed, handlers[name] !== undefined]);
  return Object.fromEntries(entries) as { [C in Needed[keyof Needed]]: boolean };
}

/** Returns the calls that an agent with these capabilities answers, without all other calls. */
export function offeredCalls(calls: CallHandlers, capabilities: AgentCapabilities): CallHandlers {
  // A call that needs no capability has the value `undefined` here, which is not false. Every agent answers such a
  // call.
  const isOffered = (name: string) => capabilities[neededCapability[name as keyof Needed]] !== false;
  return Object.fromEntries(Object.entries(calls).filter(([name]) => isOffered(name)));
}

/**
 * Checks that an agent with these capabilities accepts the roots, the servers and the system prompt of a session. A
 * member without its capability is refused and never dropped silently, because the client relies on the member.
 *
 * @throws RpcError `-32602` for a path that is not absolute, and for members that the agent did not offer
 */
export function checkWorkspace(capabilities: AgentCapabilities, workspace: SessionWorkspace): void {
  const { cwd, additionalDirectories = [], mcpServers = [] } = workspace;
  if (!isAbsolute(cwd)) throw RpcError.invalidParams("cwd is an absolute path");
  if (!additionalDirectories.every(isAbsolute))
    throw RpcError.invalidParams("additionalDirectories are absolute paths");
  if (additionalDirectories.length > 0 && !capabilities.additionalDirectories) {
    throw RpcError.invalidParams("additionalDirectories are not supported");
  }
  const offered: Readonly<Record<string, boolean>> = capabilities.mcp;
  for (const { type } of mcpServers) {
    const name: string = type;
    if (offered[name] !== true) throw RpcError.invalidParams(`MCP servers over ${name} are not supported`, { type });
  }
  if (workspace.systemPrompt != null) checkSystemPrompt(capabilities, workspace.systemPrompt);
}

// P-SYS-02, P-SYS-03
function checkSystemPrompt({ systemPrompt }: AgentCapabilities, { mode, content }: SystemPrompt): void {
  if (systemPrompt === undefined) throw RpcError.invalidParams("system prompts are not supported");
  const applies = mode === "append" || (mode === "override" && systemPrompt.override);
  if (!applies) throw RpcError.invalidParams(`system prompts of the mode ${mode} are not supported`);
  if (content.length === 0) throw RpcError.invalidParams("a system prompt holds at least one block");
  const other = content.find(({ type }) => type !== "text");
  if (other !== undefined) throw RpcError.invalidParams(`system prompts with ${other.type} blocks are not supported`);
}

// V1-PROMPT-15, V1-CONT-08
/** @throws RpcError `-32602` for a prompt that is empty or contains blocks that the agent did not offer */
export function checkBlocks({ prompt: offered }: AgentCapabilities, prompt: readonly ContentBlock[]): void {
  if (prompt.length === 0) throw RpcError.invalidParams("a prompt holds at least one block");
  const { image, audio, embeddedContext: resource } = offered;
  const gates: Readonly<Record<string, boolean>> = { text: true, resource_link: true, image, audio, resource };
  for (const { type } of prompt) {
    const name: string = type;
    if (gates[name] !== true) throw RpcError.invalidParams(`prompts with ${name} blocks are not supported`);
  }
}
