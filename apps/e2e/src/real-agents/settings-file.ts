import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelServer } from "../models/model-server.js";
import type { RealAgent } from "./agent-table.js";

/** Writes the settings file of an agent into its home folder, if the agent needs one. */
export async function writeSettings(agent: RealAgent, server: ModelServer, home: string): Promise<void> {
  const settings = agent.settings?.(server);
  if (settings === undefined) return;
  const path = join(home, settings.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(settings.content));
}
