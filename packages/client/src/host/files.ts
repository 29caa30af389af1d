import {
  type ReadTextFileRequest,
  readTextFileRequest,
  type WriteTextFileRequest,
  writeTextFileRequest,
} from "@turnkit/schema/v1";
import type { InboundCall, Route } from "@turnkit/transport";
import { type HandlerHost, type HostSession, inLane } from "./hosted-session.js";
import { LargeAnswers } from "./large-answers.js";

type Awaitable<T> = T | Promise<T>;

/** File that an agent wants to read. */
export type ReadTextFile = {
  /** Absolute. */
  readonly path: string;
  /** First line, 1-based; 0 means 1. */
  readonly line?: number | null;
  /** Maximum number of lines. */
  readonly limit?: number | null;
};

/** Text that an agent wants to write; it replaces the whole file. */
export type WriteTextFile = { readonly path: string; readonly content: string };

/**
 * File access for an agent of version 1. Methods that exist are advertised. A thrown `RpcError` is the answer; any
 * other exception becomes an internal error.
 */
export interface FileHost {
  readTextFile?(request: ReadTextFile, session: HostSession): Awaitable<string>;
  writeTextFile?(request: WriteTextFile, session: HostSession): Awaitable<void>;
}

/** File handlers for the option `files`, made by {@link createFileHandlers}. */
export interface FileHandlers {
  /** Operations that are advertised. */
  readonly offered: { readonly read: boolean; readonly write: boolean };
  /**
   * Returns the routes of version 1.
   *
   * @internal
   */
  fileRoutes(client: HandlerHost): { readonly [method: string]: Route };
}

/** Bounds of file handlers. */
export type FileLimits = {
  /**
   * Maximum number of simultaneous reads on one connection. Further reads wait in order, also until earlier answers
   * were sent. Each read from the disk holds one file descriptor. Raise it for a host that asks the person before it
   * reads.
   * @defaultValue 8
   */
  readonly maxReads?: number;
};

/**
 * Makes file handlers of a host, such as the buffers of an editor. The agent sees only the methods of the host. A
 * bundle contains the code for files only if it calls this, or uses the host of `./node`.
 */
export function createFileHandlers(host: FileHost, { maxReads = 8 }: FileLimits = {}): FileHandlers {
  const read = host.readTextFile?.bind(host);
  const write = host.writeTextFile?.bind(host);
  return {
    offered: { read: read !== undefined, write: write !== undefined },
    fileRoutes: ({ sessions }) => ({
      ...(read && { "fs/read_text_file": readRoute(sessions, read, maxReads) }),
      ...(write && {
        "fs/write_text_file": {
          params: writeTextFileRequest,
          receive: ({ sessionId, path, content }: WriteTextFileRequest, call: InboundCall) =>
            inLane(sessions.get(sessionId), call, async (session) => {
              await write({ path, content }, session);
              return {};
            }),
        },
      }),
    }),
  };
}

function readRoute(
  sessions: HandlerHost["sessions"],
  read: Required<FileHost>["readTextFile"],
  maxReads: number,
): Route {
  const answers = new LargeAnswers(maxReads);
  return {
    params: readTextFileRequest,
    receive: ({ sessionId, path, line, limit }: ReadTextFileRequest, call: InboundCall) =>
      inLane(sessions.get(sessionId), call, (session) =>
        answers.run(call, session, async () => ({ content: await read({ path, line, limit }, session) })),
      ),
  };
}
