import type { Command } from "commander";
import { UsageError } from "../exit-code.js";
import type { Invocation } from "../invocation.js";
import { natsChoiceOf } from "./nats-choice.js";
import { choiceOf, commandLineOptions } from "./options.js";

/** Port of `turnkit serve` without `--listen`. */
const DEFAULT_ADDRESS = "127.0.0.1:8040";

export function addServe(program: Command, found: (invocation: Invocation) => void): void {
  program
    .command("serve")
    .description("Shares the sessions of an agent: several clients watch and answer, and may come and go.")
    .option("--agent <name>", "start this agent; turnkit agents lists them")
    .option("--cwd <dir>", "folder in which the agent starts (default: this folder)")
    .option("--listen <address>", `host and port (default: ${DEFAULT_ADDRESS}); port 0 takes a free one`)
    .option("--token-file <file>", "token for programs, read from this file, not from TURNKIT_TOKEN")
    .option("--nats <servers>", "share sessions with other machines: nats://host:4222,…")
    .option("--nats-creds <file>", "credentials for these servers")
    .option("--nats-ca <file>", "certificate of their authority, for TLS")
    .option("--nats-cert <file>", "own certificate, for TLS")
    .option("--nats-key <file>", "key of this certificate")
    .option("--stream-count <n>", "streams for the sessions; fixed at the first start (default: 4)")
    .option("--replicas <n>", "servers that store each stream: 1, 3 or 5 (default: 1)")
    .option(
      "--takeover <time>",
      "wait before others get sessions of a dead gateway: 5 (seconds), 15s or 2m (default: 15s)",
    )
    .usage("[options] [-- agent command]")
    .action((_: unknown, own: Command) => {
      const { listen = DEFAULT_ADDRESS, tokenFile, ...options } = commandLineOptions(own);
      const nats = natsChoiceOf(options);
      found({ kind: "serve", ...choiceOf(options), tokenFile, ...addressOf(listen), nats });
    });
}

/** @throws UsageError for an address without a host or a port */
function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, host = "", digits = ""] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port > 65_535)
    throw new UsageError(`--listen is an address such as 127.0.0.1:8040, not "${text}".`);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}
