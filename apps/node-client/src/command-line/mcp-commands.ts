import type { Command } from "commander";
import { UsageError } from "../exit-code.js";
import type { Invocation } from "../invocation.js";
import { collected, commandLineOptions } from "./options.js";
import { checkNoWords } from "./prompt-words.js";

export function addMcpCommands(mcp: Command, found: (invocation: Invocation) => void): void {
  mcp
    .command("list", { isDefault: true })
    .description("Lists your servers and those of the project's .mcp.json.")
    .option("--cwd <dir>", "use the project of this folder")
    .option("--json", "print JSON")
    .allowExcessArguments()
    .action((_: unknown, own: Command) => {
      checkNoWords(own.args, mcp);
      const { cwd, json = false } = commandLineOptions(own);
      found({ kind: "mcp list", cwd, json });
    });
  mcp
    .command("add")
    .description("Adds a server for every session: a command after --, or a URL.")
    .argument("<name>")
    .option("--url <url>", "a server over HTTP")
    .option("--sse", "the URL is a server over SSE")
    .option("--header <name=value>", "send this header; repeatable", collected)
    .option("--env <name=value>", "set this variable of the command; repeatable", collected)
    .usage("[options] <name> [-- command]")
    .action((name: string, _: unknown, own: Command) => {
      const { url, sse, header, env } = commandLineOptions(own);
      const members = {
        ...(url !== undefined && { type: sse === true ? "sse" : "http", url }),
        ...(header !== undefined && { headers: pairs("--header", header) }),
        ...(env !== undefined && { env: pairs("--env", env) }),
      };
      found({ kind: "mcp add", name, members });
    });
  mcp
    .command("remove")
    .description("Removes servers.")
    .argument("<names...>")
    .action((names: string[]) => found({ kind: "mcp remove", names }));
  for (const [name, description] of [
    ["trust", "Shows the project's .mcp.json, and asks whether agents get its servers."],
    ["distrust", "Leaves out the servers of the project's .mcp.json until it changes."],
  ] as const) {
    const command = mcp.command(name).description(description).option("--cwd <dir>", "use the project of this folder");
    if (name === "trust") command.option("--yes", "trust the file without a question");
    command.action((_: unknown, own: Command) => {
      const { cwd, yes = false } = commandLineOptions(own);
      found({ kind: `mcp ${name}`, cwd, yes });
    });
  }
}

/** Parses values such as `NAME=value`. */
function pairs(option: string, texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
      throw new UsageError(`${option} needs a name and a value, as in ${option} NAME=value.`);
    }),
  );
}
