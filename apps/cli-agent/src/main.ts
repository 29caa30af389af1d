#!/usr/bin/env node
import { parseArgs } from "node:util";

const USAGE = `turnkit-agent: a code reviewer that speaks the Agent Client Protocol over stdin and stdout

Usage: turnkit-agent [--help | --version]

It is started by a client (an editor, for example) and reads protocol messages from stdin.
Without a network and without a model it reviews JavaScript and TypeScript files with oxlint.
`;

await main();

async function main(): Promise<void> {
  const { help, version } = readOptions();
  if (help) process.stdout.write(USAGE);
  else if (version) process.stdout.write(`${(await import("./version.js")).version}\n`);
  else await serve();
}

function readOptions(): { help?: boolean; version?: boolean } {
  const options = { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`turnkit-agent: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

async function serve(): Promise<void> {
  const { serveStdio } = await import("@turnkit/agent/node");
  await serveStdio(() => import("./agent.js"));
}
