import type { McpServer } from "@turnkit/client";
import { textOf } from "@turnkit/transport";
import type { ProgramStreams } from "../program.js";
import type { Setup } from "../setup/setup.js";
import type { View } from "../view.js";
import { type ProjectServers, readProjectServers } from "./project-servers.js";
import { startableServer, type WrittenServer } from "./read-servers.js";
import { readUserServers, serverFile } from "./server-file.js";

type Asking = Pick<ProgramStreams, "env" | "interrupts"> & { readonly view: Pick<View, "note" | "choose"> };

/**
 * Returns a setup with the MCP servers of the user's file and of the project's `.mcp.json`. If two servers have the same
 * name, `--mcp` has priority over the user's file, and the user's file over the project. A server that cannot be used
 * is left out with a note.
 *
 * The project's servers need the trust of the user. The question shows all that they start. Without a person, or while
 * the answer is not known, they are left out.
 *
 * A remote agent gets none of them, because they are programs and secrets of this machine.
 *
 * @throws UsageError if the user's file is not valid
 */
export async function withOwnServers(setup: Setup, asking: Asking): Promise<Setup> {
  if (setup.remote !== undefined) return setup;
  const { env, view } = asking;
  const { note } = view;
  const servers: McpServer[] = [...setup.mcpServers];
  const add = async (written: readonly WrittenServer[], file: string) => {
    for (const server of written) {
      const { name } = server;
      if (server.isDisabled) continue;
      if (servers.some((one) => one.name === name)) {
        note(`${file}: the MCP server ${name} is left out, because another one has this name.`);
        continue;
      }
      try {
        servers.push(await startableServer(server, file, { env, directory: setup.directory }));
      } catch (error) {
        note(`${textOf(error)} This MCP server is left out.`);
      }
    }
  };
  await add(await readUserServers(env), serverFile(env));
  try {
    const project = await readProjectServers(setup.directory, env);
    if (project !== undefined && project.text !== "" && (await isTrusted(project, asking))) {
      await add(project.servers, project.path);
    }
  } catch (error) {
    note(`${textOf(error)} Its MCP servers are left out.`);
  }
  return { ...setup, mcpServers: servers };
}

const answers = [
  { name: "use them this time", verdict: undefined, use: true },
  { name: "use them until the file changes", verdict: "allow", use: true },
  { name: "leave them out this time", verdict: undefined, use: false },
  { name: "leave them out until the file changes", verdict: "reject", use: false },
] as const;

async function isTrusted(project: ProjectServers, { view, interrupts }: Asking): Promise<boolean> {
  const { path, trust, hasChanged } = project;
  const servers = project.servers.filter(({ isDisabled }) => !isDisabled);
  if (trust !== "undecided") return trust === "allow";
  const count = `${servers.length} MCP server${servers.length === 1 ? "" : "s"}`;
  const changed = hasChanged ? " The file has changed since you decided." : "";
  if (view.choose === undefined) {
    view.note(`${path} is not trusted, so its ${count} are left out.${changed} To decide: turnkit mcp trust`);
    return false;
  }
  const title = `May the agent use the ${count} of ${path}? They run as you.${changed}`;
  const chosen = await view.choose(title, answers, interrupts.cancel, project.text);
  const answer = answers[chosen ?? -1];
  if (answer?.verdict !== undefined) await project.decide(answer.verdict);
  return answer?.use === true;
}
