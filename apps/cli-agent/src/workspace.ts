import { basename, relative, resolve } from "node:path";
import type { AgentSession, ClientFiles } from "@turnkit/agent";
import {
  binary,
  isInside,
  MAX_BYTES,
  notFound,
  outside,
  readText,
  realPathInside,
  refuseUnreadable,
  replaceFile,
  tooLarge,
} from "./disk.js";
import { messageOf, ToolError } from "./tools/tool.js";

/** The protocol's code for a resource that does not exist. */
const NOT_FOUND = -32002;

/** Where a path leads. */
export type Location = {
  /** Absolute. */
  readonly path: string;
  /** How to call it when talking to the user: from the session's folder where it is below that. */
  readonly name: string;
  /** Whether it stays within the roots, going by the names alone; links are followed when it is used. */
  readonly inside: boolean;
};

/** The text files inside the roots of a session, through the client (which knows unsaved changes) or on the disk. */
export interface Workspace {
  locate(path: string): Location;
  /** @throws ToolError whose code says why there is no text to be had. */
  read(path: string, signal: AbortSignal): Promise<string>;
  /** @throws ToolError `outside`, or `failed` with the reason. */
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens the files of a session for one turn. Reading and writing are two offers of a client: what it does not offer
 * goes to the disk.
 */
export function createWorkspace(session: Pick<AgentSession, "cwd" | "roots">, client: ClientFiles = {}): Workspace {
  const { cwd, roots } = session;
  const locate = (given: string): Location => {
    const path = resolve(cwd, given);
    const name = isInside(cwd, path) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: roots.some((root) => isInside(root, path)) };
  };
  const enter = async (given: string) => {
    const { path, name, inside } = locate(given);
    if (!inside) throw outside(name);
    return { path, name, real: await realPathInside(roots, path, name) };
  };

  return {
    locate,
    async read(given, signal) {
      const { path, name, real } = await enter(given);
      if (real !== undefined) await refuseUnreadable(real, name);
      else if (!client.read) throw notFound(name);
      const text = client.read
        ? await readFromClient(client.read(path), name, signal)
        : await readText(real ?? path, name);
      if (text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
      if (text.includes("\0")) throw binary(name);
      return text;
    },
    async write(given, text, signal) {
      const { path, name, real } = await enter(given);
      signal.throwIfAborted();
      try {
        if (client.write) await client.write(path, text);
        else await replaceFile(real ?? path, text);
      } catch (error) {
        signal.throwIfAborted();
        throw new ToolError("failed", `\`${name}\` could not be written: ${messageOf(error)}`);
      }
    },
  };
}

async function readFromClient(answer: Promise<string>, name: string, signal: AbortSignal): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as { code?: unknown }).code === NOT_FOUND) throw notFound(name);
    throw new ToolError("unreadable", `\`${name}\` cannot be read through the editor: ${messageOf(error)}`);
  }
}
