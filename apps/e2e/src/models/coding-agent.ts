import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  allDialects,
  allowOnce,
  type Client,
  type ClientOptions,
  type Dialect,
  type PermissionPolicy,
  type Session,
  type SessionState,
} from "@turnkit/client";
import { childEnvironment, launchWith } from "@turnkit/client/node";
import { messageText } from "@turnkit/session";
import type { ChildChannel } from "@turnkit/transport/node";
import { onTestFinished } from "vitest";
import { codingAgent } from "../interop/programs.js";
import { createModelServer, type ModelServer, type Script } from "./model-server.js";

/** Key of the agent. Only the provider may see it. */
export const KEY = "key-that-nobody-repeats";

/** Wire format of the stand-in. It determines the path, and the `type` of the provider in `agent.json`. */
export type WireName = "openai-compatible" | "openai" | "anthropic" | "google";

/** Options of a test for the agent and its provider. */
export type CodingOptions = {
  readonly script: Script;
  readonly wire?: WireName;
  readonly dialects?: readonly Dialect[];
  readonly files?: Readonly<Record<string, string>>;
  readonly permissions?: PermissionPolicy;
  readonly args?: readonly string[];
  /** False for a folder that nobody trusts yet. */
  readonly isTrusted?: boolean;
  /** Folder in which the agent starts. */
  readonly startIn?: string;
  /** Folder of the session instead of one with `files`. */
  readonly folder?: string;
  /** @defaultValue `turnkit-agent`, built */
  readonly command?: readonly [string, ...string[]];
  /** Settings of the model, as in `agent.json`. */
  readonly model?: object;
  /** Settings of the agent, as in `agent.json`. */
  readonly config?: object;
  /** Handlers of the client besides permissions: files, terminals. */
  readonly offers?: Pick<ClientOptions, "files" | "terminals">;
  /** Further files of the folder for configuration and state. */
  readonly userFiles?: Readonly<Record<string, string>>;
  /** Additional environment variables of the agent. */
  readonly env?: Readonly<Record<string, string>>;
};

/** An agent in its own process, with a session in a project of its own. */
export type CodingAgent = {
  readonly client: Client;
  readonly session: Session;
  readonly server: ModelServer;
  /** The project's folder. */
  readonly folder: string;
  /** Ends the agent's process as a crash would. */
  kill(): void;
};

/**
 * Starts `turnkit-agent` for the model `stand-in/coder`; `rival/coder` is a model of another kind of provider. The
 * agent and its files are removed at the end of the test.
 */
export async function startCodingAgent(options: CodingOptions): Promise<CodingAgent> {
  const {
    script,
    wire = "openai-compatible",
    dialects = allDialects,
    files = {},
    args = [],
    isTrusted = true,
    command = codingAgent,
  } = options;
  const server = await createModelServer(script);
  onTestFinished(() => server.close());
  const folder = options.folder ?? (await createProject(files));
  const provider = (type: WireName, models: object) => ({
    type,
    baseURL: type === "google" ? `${server.origin}/v1beta` : server.url,
    keyVariable: "STAND_IN_KEY",
    models,
  });
  const providers = {
    "stand-in": provider(wire, { coder: { contextWindow: 100_000, images: true, ...options.model }, other: {} }),
    rival: provider(wire === "anthropic" ? "openai" : "anthropic", { coder: {} }),
  };
  const config = { model: "stand-in/coder", retries: { firstDelayMs: 1 }, providers, ...options.config };
  const home = await createProject({ "turnkit/agent.json": JSON.stringify(config), ...options.userFiles });
  const env = childEnvironment({
    values: { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, STAND_IN_KEY: KEY, ...options.env },
  });
  let pid = 0;
  const client = await launchWith(dialects, [...command, ...(isTrusted ? ["--trust"] : []), ...args], {
    info: { name: "coding-test", version: "1.0.0" },
    permissions: options.permissions ?? allowOnce,
    ...options.offers,
    ...(options.startIn !== undefined && { cwd: options.startIn }),
    env,
    wrapChannel: (channel) => {
      pid = (channel as ChildChannel).pid;
      return channel;
    },
  });
  onTestFinished(() => client.close());
  const kill = () => void process.kill(pid, "SIGKILL");
  return { client, server, folder, kill, session: await client.newSession({ cwd: folder }) };
}

/** Returns the messages or thoughts of a session as one text. */
export const said = ({ timeline }: SessionState, role: "agent" | "thought" = "agent"): string =>
  [...timeline].map((entry) => (entry.type === "message" && entry.role === role ? messageText(entry) : "")).join("");

/** Returns the tool calls of a session with their statuses, in order. */
export const calls = ({ timeline }: SessionState): string[] =>
  [...timeline].flatMap((entry) => (entry.type === "tool_call" ? [`${entry.title}: ${entry.status}`] : []));

/** Settles when the function returns true for the state of the session. */
export function reached(session: Session, holds: (state: SessionState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds(session.state)) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = session.subscribe(look);
    look();
  });
}

/**
 * Makes a folder with files, which may be in inner folders. Returns its real path. The folder is removed at the end of
 * the test.
 */
export async function createProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "project-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
