import { type Client, connect, type Session } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { type MessageEntry, messageText } from "@turnkit/session";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { turnkit } from "../interop/programs.js";
import { type RunningProgram, startProgram } from "../interop/running-program.js";
import { runSource } from "../process/source.js";

/** Token of programs. */
export const token = "a-token-of-the-tests-0123456789";

/** Folders of a test: that of the sessions, and that of the agent, which all gateways have. */
export type Folders = { readonly cwd: string; readonly agent: string };

/** Starts `turnkit serve` with these options, and returns it when it listens. */
export async function serveWith(
  { cwd, agent }: Folders,
  options: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly program: RunningProgram; readonly page: string }> {
  const command = [...runSource(new URL("agent-main.ts", import.meta.url)), agent];
  const program = startProgram([...turnkit, "serve", "--listen", "127.0.0.1:0", ...options, "--", ...command], {
    cwd,
    env: { TURNKIT_TOKEN: token, XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd, ...more },
  });
  await program.printed("\n");
  return { program, page: program.output.stdout.split("#")[0] ?? "" };
}

/** Connects a client to a gateway until the end of the test. */
export async function clientAt(page: string): Promise<Client> {
  const webSocket = (address: string, { headers }: { readonly headers?: Record<string, string> }) =>
    new WebSocket(address, { headers });
  const channel = await openRemote(`${page.replace("http", "ws")}acp`, { token, webSocket, reconnect: false } as never);
  const client = await connect(channel, { info: { name: "watcher", version: "1.0.0" } });
  onTestFinished(() => client.close());
  return client;
}

/** Attaches a client to a session. */
export async function attached(client: Client, id: string, cwd: string): Promise<Session> {
  const outcome = await client.restore(id, { cwd });
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome.session;
}

/** Returns the messages of a session, in order. */
export const said = ({ state }: Session): readonly string[] =>
  [...state.timeline]
    .filter((entry): entry is MessageEntry => entry.type === "message")
    .map((entry) => `${entry.role}: ${messageText(entry)}`);
