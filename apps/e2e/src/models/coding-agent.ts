import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Client, type Dialogue, everyDialect, type PermissionPolicy, type Session } from "@turnkit/client";
import { childEnvironment, launchIn } from "@turnkit/client/node";
import { onTestFinished } from "vitest";
import { turnkitAgent } from "../interop/programs.js";
import { createModelServer, type ModelServer, type Script } from "./model-server.js";

/** The key that the agent is given; nobody but the provider may ever see it. */
export const KEY = "key-that-nobody-repeats";

/** How the agent is told to reach the stand-in in one wire format: the `type` of its provider, and the path. */
export type WireName = "openai-compatible" | "openai" | "anthropic" | "google";

/** What a test wants of the agent and of its provider. */
export type CodingOptions = {
  readonly script: Script;
  readonly wire?: WireName;
  readonly dialects?: readonly Dialogue[];
  readonly files?: Readonly<Record<string, string>>;
  readonly permissions?: PermissionPolicy;
  readonly args?: readonly string[];
  /** Of the model, as `agent.json` has it. */
  readonly model?: object;
  /** Of the agent, as `agent.json` has it. */
  readonly config?: object;
};

/** An agent in its own process, with a session in a project of its own. */
export type CodingAgent = {
  readonly client: Client;
  readonly session: Session;
  readonly server: ModelServer;
  /** The project's folder. */
  readonly folder: string;
};

/** Allows what is asked, once. */
export const allow: PermissionPolicy = ({ options }) => {
  const option = options.find(({ kind }) => kind === "allow_once");
  return option ? { select: option.optionId } : { cancel: true };
};

/** Starts `turnkit-agent` for the model `stand-in/coder`; all of it goes when the test has finished. */
export async function startCodingAgent(options: CodingOptions): Promise<CodingAgent> {
  const { script, wire = "openai-compatible", dialects = everyDialect, files = {}, args = [] } = options;
  const server = await createModelServer(script);
  onTestFinished(() => server.close());
  const folder = await createProject(files);
  const provider = {
    type: wire,
    baseURL: wire === "google" ? `${server.origin}/v1beta` : server.url,
    keyVariable: "STAND_IN_KEY",
    models: { coder: { contextWindow: 100_000, images: true, ...options.model }, other: {} },
  };
  const config = { model: "stand-in/coder", providers: { "stand-in": provider }, ...options.config };
  const settings = await createProject({ "turnkit/agent.json": JSON.stringify(config) });
  const env = childEnvironment({ values: { XDG_CONFIG_HOME: settings, STAND_IN_KEY: KEY } });
  const client = await launchIn(dialects, [...turnkitAgent, ...args], {
    info: { name: "coding-test", version: "1.0.0" },
    permissions: options.permissions ?? allow,
    env,
  });
  onTestFinished(() => client.close());
  return { client, server, folder, session: await client.newSession({ cwd: folder }) };
}

/** Makes a folder with files, which may be in folders of their own; by its real path. It goes when the test has finished. */
export async function createProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "project-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
