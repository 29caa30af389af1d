import { resolve } from "node:path";
import { type ExitCode, exitCode, UsageError } from "../exit-code.js";
import type { Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import type { ProgramStreams } from "../program.js";
import { type Page, pageOn } from "../render/page.js";
import { createTerminalView } from "../terminal-view.js";
import { type ProjectServers, readProjectServers } from "./project-servers.js";
import { isServerUrl, startableServer, type WrittenServer } from "./read-servers.js";
import { addUserServer, readUserServers, removeUserServers, serverFile } from "./server-file.js";
import { listText } from "./server-text.js";

type McpInvocation = Extract<Invocation, { kind: `mcp ${string}` }>;

/**
 * Lists, adds or removes MCP servers of the user, or stores a decision about the servers of a project. Starts no server
 * and no agent.
 *
 * @throws UsageError for a name or a file that is not valid
 */
export async function manageMcp(invocation: McpInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { env, stdout } = streams;
  const page = pageOn(stdout, env);
  switch (invocation.kind) {
    case "mcp list": {
      const user = await readUserServers(env);
      const project = await readProjectServers(resolve(invocation.cwd ?? "."), env);
      if (invocation.json) stdout.write(`${safeJson(asJson(user, project, env), 2)}\n`);
      else list(page, user, project, env);
      return exitCode.ended;
    }
    case "mcp add": {
      const { name, members, command } = invocation;
      if ("url" in members === (command !== undefined)) {
        throw new UsageError(`mcp add: give ${name} a command after --, or a --url.`);
      }
      if ("url" in members ? "env" in members : "headers" in members) {
        throw new UsageError("mcp add: --env is for a command after --, and --header for a --url.");
      }
      const { url } = members;
      // A reference such as ${HOST} has its value only in a session.
      if (typeof url === "string" && !url.includes("${") && !isServerUrl(url)) {
        throw new UsageError(`mcp add: ${url} is not a complete URL of http or https.`);
      }
      const [program, ...args] = command ?? [];
      await addUserServer(env, name, { ...(program !== undefined && { command: program, args }), ...members });
      page.line(`${name} is in ${serverFile(env)}. New sessions get it.`);
      await noteFault(name, streams);
      return exitCode.ended;
    }
    case "mcp remove":
      await removeUserServers(env, invocation.names);
      page.line(`Removed: ${invocation.names.join(", ")}.`);
      return exitCode.ended;
    case "mcp trust":
    case "mcp distrust":
      return decide(invocation, streams, page);
  }
}

/** Notes why a server that was added cannot start now. Its program or a variable may come later. */
async function noteFault(name: string, { env, stderr }: ProgramStreams): Promise<void> {
  const server = (await readUserServers(env)).find((one) => one.name === name);
  const directory = resolve(".");
  if (server === undefined) return;
  await startableServer(server, serverFile(env), { env, directory }).catch((error: unknown) => {
    createRemarks({ stderr, env }).note(`It cannot start now. ${(error as Error).message}`);
  });
}

async function decide(
  { kind, cwd, yes }: Extract<McpInvocation, { kind: "mcp trust" | "mcp distrust" }>,
  streams: ProgramStreams,
  page: Page,
): Promise<ExitCode> {
  const directory = resolve(cwd ?? ".");
  const project = await readProjectServers(directory, streams.env);
  if (project === undefined) throw new UsageError(`There is no .mcp.json in ${directory} or its project.`);
  let verdict: "allow" | "reject" = kind === "mcp trust" ? "allow" : "reject";
  if (kind === "mcp trust" && yes) page.block(project.text, { sequences: "show" });
  else if (kind === "mcp trust") {
    const { choose } = createTerminalView(streams, directory);
    if (choose === undefined) throw new UsageError("mcp trust: there is no terminal for the question. Add --yes.");
    const title = `Do you trust the MCP servers of ${project.path}? They run as you.`;
    const choices = [{ name: "yes, until the file changes" }, { name: "no, leave them out until the file changes" }];
    const chosen = await choose(title, choices, streams.interrupts.cancel, project.text);
    if (chosen === undefined) return exitCode.cancelled;
    verdict = chosen === 0 ? "allow" : "reject";
  }
  await project.decide(verdict);
  page.line(
    `${project.path}: its MCP servers are ${verdict === "allow" ? "used" : "left out"} until the file changes.`,
  );
  return exitCode.ended;
}

const trustWords = {
  allow: "trusted",
  reject: "left out",
  undecided: "not decided; see turnkit mcp trust",
} as const;

function list(
  page: Page,
  user: readonly WrittenServer[],
  project: ProjectServers | undefined,
  env: NodeJS.ProcessEnv,
): void {
  page.line(["bold", serverFile(env)]);
  page.block(user.map(listText).join("\n") || "(none; see turnkit help mcp add)", { sequences: "show" });
  if (project === undefined) return;
  page.line(["bold", project.path], ["dim", `  ${trustWords[project.trust]}`]);
  page.block(project.servers.map(listText).join("\n") || "(none)", { sequences: "show" });
}

function asJson(user: readonly WrittenServer[], project: ProjectServers | undefined, env: NodeJS.ProcessEnv): object {
  const seen = (servers: readonly WrittenServer[]) =>
    servers.map((server) => ({ name: server.name, type: server.type, text: listText(server) }));
  return {
    user: { file: serverFile(env), servers: seen(user) },
    project: project && { file: project.path, trust: project.trust, servers: seen(project.servers) },
  };
}
