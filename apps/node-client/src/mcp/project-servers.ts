import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDecisionFile } from "@turnkit/client/node";
import { isInProject } from "@turnkit/transport/node";
import { UsageError } from "../exit-code.js";
import { parseJsonText } from "../setup/json-file.js";
import { statePath } from "../setup/user-folders.js";
import { sha256 } from "../sha256.js";
import { type WrittenServer, writtenServers } from "./read-servers.js";
import { wholeText } from "./server-text.js";

export type ProjectTrust = "allow" | "reject" | "undecided";

/**
 * Servers in the `.mcp.json` of a project. The servers are not used before the user allows this content of the file.
 */
export type ProjectServers = {
  /** Real path of the file. */
  readonly path: string;
  readonly servers: readonly WrittenServer[];
  /** Everything that the servers start and send, without those that the file switches off. */
  readonly text: string;
  readonly trust: ProjectTrust;
  /** `true` if the user has decided about an earlier content of the file. */
  readonly hasChanged: boolean;
  /** Stores a decision for this content of the file. */
  decide(verdict: "allow" | "reject"): Promise<void>;
};

/** Maximum size of a file, in bytes. A question has to show all of it. */
const MAX_BYTES = 20_000;

/**
 * Reads the nearest `.mcp.json` of a directory: in the directory itself, or in a folder above it in the same project.
 * Returns `undefined` if there is no such file.
 *
 * @throws UsageError for a file that is a link, too large, or not valid
 */
export async function readProjectServers(
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<ProjectServers | undefined> {
  const found = await findFile(directory);
  if (found === undefined) return undefined;
  const { path, text } = found;
  const servers = writtenServers(parseJsonText(text, path));
  const enabled = servers.filter(({ isDisabled }) => !isDisabled);
  const decisions = createDecisionFile(statePath(env, "mcp-trust.json"));
  const hash = sha256(text);
  const known = (await decisions.list()).filter(([key]) => key.startsWith(`${path}\n`));
  const [, decision] = known.find(([key]) => key === `${path}\n${hash}`) ?? [];
  return {
    ...{ path, servers, text: enabled.map(wholeText).join("\n") },
    trust: decision?.verdict ?? "undecided",
    hasChanged: decision === undefined && known.length > 0,
    async decide(verdict) {
      await decisions.deleteAll(known.map(([key]) => key));
      await decisions.set(`${path}\n${hash}`, { verdict, expiresAt: Date.now() + YEAR_MS });
    },
  };
}

const YEAR_MS = 365 * 24 * 3_600_000;

async function findFile(directory: string): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const start = await realpath(directory);
  for (let folder = start; folder === start || isInProject(folder, start); folder = dirname(folder)) {
    const path = join(folder, ".mcp.json");
    const text = await readOrdinaryFile(path);
    if (text !== undefined) return { path, text };
    if (dirname(folder) === folder) break;
  }
  return undefined;
}

/** Reads a file of a project. A repository may contain links, pipes and huge files, so they are refused. */
async function readOrdinaryFile(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    if (error.code === "ELOOP") throw new UsageError(`${path} is a link. Replace it with a file.`);
    throw new UsageError(`${path} cannot be read: ${error.message}.`);
  });
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw new UsageError(`${path} is not a file.`);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    if (bytesRead > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES} bytes.`);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
