import type { McpServer } from "@turnkit/agent";
import type { Tool } from "../tools/tool.js";
import { connectMcpServers } from "./servers.js";

type GroupOptions = Parameters<typeof connectMcpServers>[1];

/**
 * Creates the MCP servers of one session. They come from several places, and can be added at different times. A server
 * with the name of an earlier one is left out.
 */
export function createServerGroups(options: Omit<GroupOptions, "isTrusted">) {
  const groups: ReturnType<typeof connectMcpServers>[] = [];
  const names = new Set<string>();
  return {
    /** Starts further servers. A server that needs trust waits for {@link decide}, unless `isTrusted` returns `true`. */
    add(servers: readonly McpServer[], isTrusted: () => Promise<boolean>): void {
      const fresh = servers.filter(({ name }) => !names.has(name));
      for (const { name } of fresh) names.add(name);
      if (fresh.length > 0) groups.push(connectMcpServers(fresh, { ...options, isTrusted }));
    },
    /** Returns `true` if a server waits for the user's trust in the folder. */
    needTrust: async (): Promise<boolean> =>
      (await Promise.all(groups.map((group) => group.needTrust()))).includes(true),
    /** Starts the servers that wait for trust, or reports them as failed. */
    decide(isTrusted: boolean): void {
      for (const group of groups) group.decide(isTrusted);
    },
    /** Returns the names of the servers that are still connecting. */
    starting: (): readonly string[] => groups.flatMap((group) => group.starting()),
    /** Resolves when every server is connected or has failed. Never rejects. */
    ready: async (): Promise<void> => void (await Promise.all(groups.map((group) => group.ready))),
    /** Returns the tools of the connected servers. Their names differ from all names in `taken`. */
    tools(taken: readonly string[]): readonly Tool[] {
      const tools: Tool[] = [];
      for (const group of groups) tools.push(...group.tools([...taken, ...tools.map(({ name }) => name)]));
      return tools;
    },
    /** Returns the instructions that the connected servers give to models. */
    instructions: (): string =>
      groups
        .map((group) => group.instructions())
        .filter(Boolean)
        .join("\n\n"),
    /** Ends every server process with all its children. */
    close: async (): Promise<void> => void (await Promise.all(groups.map((group) => group.close()))),
  };
}
