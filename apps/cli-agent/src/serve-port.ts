import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Agent } from "@turnkit/agent";
import { readPortToken, tokenVariable } from "@turnkit/node-client/access-token";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken, isLoopbackHost } from "@turnkit/remote/server";
import type { PortChoice } from "./config/flags.js";
import { ConfigError } from "./errors.js";

/** Longest time of the shutdown, in ms. The exit of the process ends all remaining work. */
const SHUTDOWN_MS = 2_000;

/**
 * Serves the agent over HTTP and WebSocket until SIGINT, SIGTERM or SIGHUP. Each connection has its own sessions.
 * Prints the address as the only line of stdout, and its use on stderr. A second signal ends the process immediately.
 *
 * @throws ConfigError for a token or a port that cannot be used
 */
export async function servePort(choice: PortChoice, agent: Agent): Promise<void> {
  const given = await tokenOf(choice);
  const token = given ?? (choice.token === false ? undefined : randomBytes(24).toString("base64url"));
  const server = createRemoteServer({
    agent,
    ...(token !== undefined && {
      authorize: (request: Request) => (hasToken(request, token) ? { id: "owner" } : undefined),
    }),
    onDiagnostic: ({ message }) => tell(message),
  });
  const { host, port } = choice;
  const listening = await listen(server, { host, port, beyondLoopback: token !== undefined }).catch((error: Error) => {
    throw new ConfigError(`--listen: ${host}:${port} cannot be used: ${error.message}.`);
  });
  const ended = endOnSignal(listening);
  const url = addressOf(listening, host);
  process.stdout.write(`${url}\n`);
  const shown = given === undefined ? token : undefined;
  tell(`Clients use the agent at ${url} (over HTTP: ${url.replace("ws", "http")}). Ctrl-C ends it.`);
  if (token === undefined) tell("Every program and every user of this machine can use it, because of --no-token.");
  else if (shown === undefined)
    tell(`They need its token in ${tokenVariable}: ${tokenVariable}=… turnkit --url ${url}`);
  else tell(`They need this new token: ${tokenVariable}=${shown} turnkit --url ${url}`);
  if (!isLoopbackHost(host)) {
    tell(
      "The connection is not encrypted. Use it behind a proxy with TLS, or listen on 127.0.0.1 and use an SSH tunnel.",
    );
  }
  await ended;
}

/**
 * Returns the token that the user chose. The variable is removed, so that no program of the agent inherits it. On
 * Linux, programs of the same user can still read the token in the initial environment of this process. With a file,
 * there is no such copy.
 */
async function tokenOf({ host, token: file }: PortChoice): Promise<string | undefined> {
  const env = { ...process.env };
  delete process.env[tokenVariable];
  if (file === false && isLoopbackHost(host)) return undefined;
  if (file === false) throw new ConfigError(`--no-token is for 127.0.0.1, ::1 and localhost, not for ${host}.`);
  return readPortToken(file, env).catch((error: Error) => {
    throw new ConfigError(error.message);
  });
}

/** Returns the address for clients. For all interfaces, the address has the name of the machine. */
function addressOf({ url }: Listening, host: string): string {
  const address = new URL(url);
  address.protocol = "ws:";
  if (host === "0.0.0.0" || host === "::") address.hostname = hostname();
  return address.href;
}

/** Settles at the first signal. The process exits when all agents have ended, or after 2 s. */
function endOnSignal(listening: Listening): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = () => {
      if (isEnding) process.exit(1);
      isEnding = true;
      // Programs of the agent end with this process.
      const exit = () => process.exit();
      setTimeout(exit, SHUTDOWN_MS);
      void listening.close().then(exit);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  });
}

function tell(message: string): void {
  process.stderr.write(`turnkit-agent: ${message}\n`);
}
