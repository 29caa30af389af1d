#!/usr/bin/env node
import { mkdir } from "node:fs/promises";
import type { SessionLog } from "@turnkit/agent";
import { replaceRelativeHome } from "@turnkit/node-client/user-folders";
import { type Flags, readFlags } from "./config/flags.js";

const USAGE = `turnkit-agent: a coding agent that speaks the Agent Client Protocol

Usage: turnkit-agent [options] "prompt"    works on one task in this folder, and prints the answer
       turnkit-agent [options]             serves a client over stdin and stdout (an editor, or \`turnkit\`)
       turnkit-agent serve [options]       the same, also on a terminal
       turnkit-agent --listen <host:port>  serves clients over HTTP and WebSocket; port 0 is any free port
       turnkit-agent models [options]      lists the models that a client can choose
       turnkit-agent login [provider]      asks for an API key and stores it
       turnkit-agent logout [provider]     forgets it

Options:
  -m, --model <provider/model>   the model to begin with; \`reviewer\` works offline
      --base-url <url>           where the model is, if not at its provider's usual address
      --mode <mode>              ask, accept-edits, review or auto
      --effort <effort>          how hard the model is to think
      --max-requests <n>         how often a model may be asked in one turn
      --trust                    use the rules of every project, without asking whether you trust its folder
      --sandbox <use>            of commands: auto (the default), require or off
      --network                  let commands in the sandbox use the network
      --config <file>            instead of agent.json in the configuration folder
      --sessions <folder>        where sessions are kept, instead of the folder for state
      --no-sessions              keep none: they end with the process
      --token-file <file>        the token for --listen, instead of TURNKIT_TOKEN or a new one
      --no-token                 serve every program of this machine without a token
  -h, --help
  -v, --version

Options for one task. They are those of \`turnkit\`, which runs it:
  -p, --prompt <text>            the task, if it begins with a dash or is one word
      --permissions <mode>       ask (the default), allow, allow-reads, deny, or a policy file (.json)
      --output <format>          what is printed: see turnkit --help

Without a key and without a configuration it reviews JavaScript and TypeScript files with oxlint, offline.
`;

const ON_TERMINAL = `turnkit-agent is a coding agent. It talks to a client, not to a terminal. To use it:

  turnkit                        talk to it here
  turnkit-agent "fix the tests"  let it work on one task
  turnkit-agent login            store the API key of a model's provider; \`turnkit-agent models\` lists the models
  turnkit-agent --help           all commands and options

An editor starts the command turnkit-agent by itself: see "agent_servers" in the README.
`;

await main();

async function main(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader may close the pipe early (`turnkit-agent models | head -1`). Without this listener, the program would
    // then end with a stack trace.
    stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EPIPE") return;
      process.exitCode = 1;
      if (stream === process.stdout) report(`The output could not be written: ${message}.`);
    });
  }
  const note = replaceRelativeHome(process.env);
  if (note !== undefined) report(note);
  try {
    await run(readFlags(process.argv.slice(2)));
  } catch (error) {
    // The user can correct a `ConfigError`, so one line is enough. Every other error is a bug of this program and needs
    // its stack trace.
    if ((error as Error).name !== "ConfigError") throw error;
    report((error as Error).message);
    process.exitCode = 2;
  }
}

function report(message: string): void {
  process.stderr.write(`turnkit-agent: ${message}\n`);
}

async function run(flags: Flags): Promise<void> {
  switch (flags.command) {
    case "help":
      process.stdout.write(USAGE);
      return;
    case "version":
      process.stdout.write(`${(await import("./version.js")).version}\n`);
      return;
    case "models":
      return listModels(flags);
    case "login":
      return (await import("./login.js")).login(flags, { input: process.stdin, output: process.stdout });
    case "logout":
      return (await import("./login.js")).logout(flags.target, process.stdout);
    case "serve":
      return serve(flags);
    case undefined:
  }
  if (flags.listen !== undefined) return serve(flags);
  if (flags.prompt !== undefined) return runPrompt(flags.prompt, flags);
  if (process.stdin.isTTY) process.stdout.write(ON_TERMINAL);
  else await serve(flags);
}

/** Runs `turnkit` with a prompt and this program as its agent. The process exits afterwards. */
async function runPrompt(prompt: string, { agentWords, clientWords }: Flags): Promise<never> {
  const { runTurnkit } = await import("@turnkit/node-client");
  const agent = [process.execPath, process.argv[1] as string, ...agentWords];
  return runTurnkit([`--prompt=${prompt}`, ...clientWords, "--", ...agent]);
}

async function listModels(flags: Flags): Promise<void> {
  const { models } = await (await import("./config/settings.js")).loadSettings(flags);
  for (const { id } of models.offered) process.stdout.write(`${id === models.preferred ? "*" : " "} ${id}\n`);
  for (const step of models.openSteps) process.stderr.write(`${step}\n`);
  if (models.offered.length > 1 || models.openSteps.length > 0) return;
  process.stderr.write(
    "No provider has a key, and none is configured: `turnkit-agent login` stores a key; see the README.\n",
  );
}

async function serve(flags: Flags): Promise<void> {
  const load = async () => {
    const { createCodingAgent } = await import("./agent.js");
    const { loadSettings } = await import("./config/settings.js");
    return { default: createCodingAgent(() => loadSettings(flags), await openLog(flags)) };
  };
  if (flags.listen !== undefined) {
    const { servePort } = await import("./serve-port.js");
    return servePort(flags.listen, (await load()).default);
  }
  const { serveStdio } = await import("@turnkit/agent/node");
  await serveStdio(load);
}

/**
 * Opens the log of all sessions. Returns `undefined` if the folder cannot be used. The agent then works without a log.
 */
async function openLog({ sessions }: Flags): Promise<SessionLog | undefined> {
  if (sessions === false) return undefined;
  const { statePath } = await import("./config/folders.js");
  const { createFileLog } = await import("@turnkit/agent/node");
  const folder = sessions ?? statePath("sessions");
  try {
    // Only this user may read the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    report(`Sessions are not kept: ${folder} cannot be used: ${(error as Error).message}.`);
    return undefined;
  }
  return createFileLog(folder, {
    onRepair: ({ sessionId, cutBytes, damagedRecords }) =>
      report(`Session ${sessionId} was damaged: ${cutBytes} bytes at its end and ${damagedRecords} records are lost.`),
  });
}
