import { hostname } from "node:os";
import { createFigures, createGateway, type Figures } from "@turnkit/gateway";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken, isLoopbackHost, type RemoteServer } from "@turnkit/remote/server";
import { spawnChannel } from "@turnkit/transport/node";
import { type ExitCode, exitCode, UsageError } from "../exit-code.js";
import { Interrupted, type Interrupts, unlessAborted } from "../interrupts.js";
import type { Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import type { ProgramStreams } from "../program.js";
import { metricsVariable, readMetricsToken, readPortToken, tokenVariable } from "../setup/access-token.js";
import { createGuardedFiles } from "../setup/client-hosts.js";
import { exitCodeOfError } from "../setup/exit-code-of-error.js";
import { agentPlace, readSetup, type Setup } from "../setup/setup.js";
import { visitAgent } from "../setup/visit.js";
import { answerFiles } from "./folder-files.js";
import { openLoginBook } from "./kept-logins.js";
import { Monitor } from "./monitor.js";
import { takeNatsServers } from "./nats-servers.js";
import { openStorage, type Storage } from "./open-storage.js";
import { answerFile } from "./page-files.js";
import { Visitors } from "./visitors.js";

type ServeInvocation = Extract<Invocation, { kind: "serve" }>;

/** Owner of all sessions: the person who started the program. */
const OWNER = { id: "owner" };

/**
 * Serves the sessions of an agent until the program is interrupted. Prints the address for a browser as the only line of
 * stdout, and its use on stderr. Sessions are stored in the folder for state, or on the servers of `--nats`. The result is
 * another exit code for an agent that does not start, and for storage that cannot be reached.
 *
 * @param pageFolder folder of the page, if it is not beside the program
 * @throws UsageError for an address that cannot be used, a token that could be guessed, and a token file that others can
 * read
 */
export async function serveSessions(
  invocation: ServeInvocation,
  streams: ProgramStreams,
  pageFolder?: URL,
): Promise<ExitCode> {
  const { env, interrupts } = streams;
  const { note, failure } = createRemarks(streams);
  const { token, metricsToken } = await readTokens(invocation, env);
  const choice = invocation.nats;
  const nats = choice && { choice, servers: takeNatsServers(choice.servers, env) };
  const setup = await readSetup(invocation, env);
  const { command } = setup;
  if (command === undefined) throw new UsageError("turnkit serve needs the command of an agent, not an address.");
  const logins = await openLoginBook(setup, env, note);
  let storage: Storage | undefined;
  try {
    const figures = createFigures();
    storage = await openStorage({ setup, nats, env, figures, note });
    await tryAgent(setup, { interrupts, note });
    const lost = await serveStored(invocation, streams, {
      ...{ setup, command, storage, figures, note, pageFolder },
      ...{ visitors: new Visitors(token, logins), hasPrograms: token !== undefined, metricsToken },
    });
    if (lost === undefined) return exitCode.ended;
    failure(lost);
    return exitCode.failed;
  } catch (error) {
    if (error instanceof Interrupted) return exitCode.cancelled;
    if (error instanceof UsageError) throw error;
    failure(error);
    return exitCodeOfError(error);
  } finally {
    await logins.saved();
    await storage?.close();
  }
}

/** Returns the tokens of programs, and removes them from the environment before the agent gets it. */
async function readTokens({ tokenFile }: ServeInvocation, env: NodeJS.ProcessEnv) {
  try {
    return { token: await readPortToken(tokenFile, env), metricsToken: readMetricsToken(env) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    delete env[tokenVariable];
    delete env[metricsVariable];
  }
}

type Served = {
  readonly setup: Setup;
  readonly command: readonly [string, ...string[]];
  readonly storage: Storage;
  readonly figures: Figures;
  readonly note: (text: string) => void;
  readonly pageFolder: URL | undefined;
  readonly visitors: Visitors;
  readonly hasPrograms: boolean;
  readonly metricsToken: string | undefined;
};

/** Serves until the program is interrupted, or the storage has failed for good. Returns the failure. */
async function serveStored(
  { host, port }: ServeInvocation,
  { stdin, stdout, env, interrupts }: ProgramStreams,
  served: Served,
): Promise<Error | undefined> {
  const { setup, command, storage, figures, note, visitors, hasPrograms, metricsToken } = served;
  // The stderr of an agent, and an error that quotes it, may have several lines.
  const noteLines = (text: string): void => text.trimEnd().split(/\r?\n/).forEach(note);
  const gateway = createGateway({
    agent: () => spawnChannel(command, { ...agentPlace(setup), onStderr: noteLines }),
    log: storage.log,
    figures,
    files: createGuardedFiles(setup, { note }),
    // Files are offered to every agent, but only agents of version 1 use them.
    onDiagnostic: ({ code, message }) => {
      if (code !== "unused_option") noteLines(message);
    },
  });
  const server = createRemoteServer({
    authorize: (request) => (visitors.knows(request) ? OWNER : undefined),
    open: (principal) => gateway.open(principal),
    onDiagnostic: ({ message }) => note(message),
  });
  const monitor = new Monitor({
    figures,
    reach: () => storage.reach(),
    mayRead: (request) => (metricsToken !== undefined && hasToken(request, metricsToken)) || visitors.knows(request),
  });
  const listening = await listen(withPage(server, monitor, { ...served, env }), {
    host,
    port,
    beyondLoopback: true,
  }).catch((error: Error) => {
    throw new UsageError(`--listen: ${host}:${port} cannot be used: ${error.message}.`);
  });
  const url = addressOf(listening, host);
  stdout.write(`${url}#token=${visitors.invite()}\n`);
  note("Open this address in a browser. It can be used once.");
  if (stdin.isTTY) {
    note("Press Enter for another address. Ctrl-C ends the agent; its sessions are kept.");
    stdin.on("data", () => stdout.write(`${url}#token=${visitors.invite()}\n`));
  }
  if (hasPrograms) note(`Programs use the token: ${tokenVariable}=… turnkit --url ${url.replace("http", "ws")}acp`);
  if (!isLoopbackHost(host)) {
    note("The connection is not encrypted. Use a proxy with TLS, or listen on 127.0.0.1 and use an SSH tunnel.");
  }
  const failure = await unlessAborted(storage.ended, interrupts.cancel).catch(() => undefined);
  monitor.closing();
  await listening.close();
  await gateway.close();
  return failure;
}

/** Time after which a person gets a sentence about the slow start of the agent, in milliseconds. */
const SLOW_MS = 3000;

/**
 * Starts the agent and ends it. The person then sees the failure of a wrong command immediately. Otherwise, only the
 * first client would see it.
 *
 * @throws Interrupted after a Ctrl-C, and the errors of `launch`
 */
async function tryAgent(
  setup: Setup,
  { interrupts, note }: { readonly interrupts: Interrupts; readonly note: (text: string) => void },
): Promise<void> {
  const slow = setTimeout(note, SLOW_MS, "The agent is starting …");
  try {
    const visit = await visitAgent({ setup, view: { note() {} }, interrupts });
    await visit.close();
  } finally {
    clearTimeout(slow);
  }
}

type Paged = Pick<Served, "visitors" | "setup" | "pageFolder"> & Pick<ProgramStreams, "env">;

/** Adds the page to a server: its files, the login of browsers, the folder of new sessions, and the names of files. */
function withPage(server: RemoteServer, monitor: Monitor, { visitors, setup, pageFolder, env }: Paged): RemoteServer {
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/acp") return server.fetch(request);
      if (pathname === "/login" && request.method === "POST") return visitors.login(request);
      const watched = await monitor.answer(request);
      if (watched !== undefined) return watched;
      const isData = pathname === "/settings.json" || pathname === "/files.json";
      if (!isData || request.method !== "GET") return answerFile(request, pageFolder && [pageFolder]);
      // The status is not 401, because the browser would write an error to its console at each first visit.
      if (!visitors.knows(request))
        return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
      if (pathname === "/files.json") return answerFiles(request, env);
      return Response.json({ folder: setup.directory }, { headers: { "Cache-Control": "no-store" } });
    },
    close: () => server.close(),
    upgrade: (request) => server.upgrade(request),
  };
}

/** Returns the address for browsers. For all interfaces, the address has the name of the machine. */
function addressOf({ url }: Listening, host: string): string {
  const address = new URL("/", url);
  if (host === "0.0.0.0" || host === "::") address.hostname = hostname();
  return address.href;
}
