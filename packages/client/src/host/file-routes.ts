import {
  type ReadTextFileRequest,
  readTextFileRequest,
  type WriteTextFileRequest,
  writeTextFileRequest,
} from "@turnkit/schema/v1";
import type { InboundCall, Route } from "@turnkit/transport";
import type { FileHost } from "./files.js";
import { type HandlerHost, inLane } from "./hosted-session.js";

/** Files that a client serves its agent, as the option `files` takes them; made by {@link createFileHandlers}. */
export interface FileHandlers {
  /** What is advertised. */
  readonly offered: { readonly read: boolean; readonly write: boolean };
  /**
   * Methods of version 1.
   * @internal
   */
  fileRoutes(client: HandlerHost): { readonly [method: string]: Route };
}

/**
 * Serves files by a host of one's own, such as the buffers of an editor. What it does not have does not exist for the
 * agent. A bundle has what that takes only with this, or with the host of `./node`.
 */
export function createFileHandlers(host: FileHost): FileHandlers {
  const read = host.readTextFile?.bind(host);
  const write = host.writeTextFile?.bind(host);
  return {
    offered: { read: read !== undefined, write: write !== undefined },
    fileRoutes: ({ sessions }) => ({
      ...(read && {
        "fs/read_text_file": {
          params: readTextFileRequest,
          receive: ({ sessionId, path, line, limit }: ReadTextFileRequest, call: InboundCall) =>
            inLane(sessions.get(sessionId), call, async (session) => ({
              content: await read({ path, line, limit }, session),
            })),
        },
      }),
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
