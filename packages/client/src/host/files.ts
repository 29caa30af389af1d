import {
  type ReadTextFileRequest,
  readTextFileRequest,
  type WriteTextFileRequest,
  writeTextFileRequest,
} from "@turnkit/schema/v1";
import {
  checkArgument,
  checkOptions,
  type InboundCall,
  type OptionTypes,
  type Route,
  RpcError,
} from "@turnkit/transport";
import { type HandlerHost, type HostSession, inLane } from "./hosted-session.js";
import { LargeAnswers } from "./large-answers.js";

type Awaitable<T> = T | Promise<T>;

/** File that an agent wants to read. */
export type ReadTextFile = {
  /** Absolute path. */
  readonly path: string;
  /** First line, counted from 1. The value 0 also means line 1. */
  readonly line?: number | null;
  /** Maximum number of lines. */
  readonly limit?: number | null;
};

/** Text that an agent wants to write. The text replaces the whole file. */
export type WriteTextFile = { readonly path: string; readonly content: string };

/**
 * File access for an agent of version 1. The client advertises the methods that exist. The agent gets an `RpcError` that a
 * method throws; any other exception becomes an internal error.
 */
export interface FileHost {
  readTextFile?(request: ReadTextFile, session: HostSession): Awaitable<string>;
  writeTextFile?(request: WriteTextFile, session: HostSession): Awaitable<void>;
}

/**
 * File handlers for the option `files`, made by {@link createFileHandlers}. The agent gets exactly the methods of this
 * object. In a copy, you may replace a method or leave it out.
 */
export interface FileHandlers extends FileHost {
  /**
   * Returns the routes of version 1.
   *
   * @internal
   */
  fileRoutes(this: FileHost, client: HandlerHost): { readonly [method: string]: Route };
}

/** Bounds of file handlers. */
export type FileLimits = {
  /**
   * Maximum number of simultaneous reads on one connection. Each read from the disk uses one file descriptor. Further reads
   * wait in order. A read also waits until the earlier answers are sent. Raise this number for a host that asks the person
   * before a read.
   * @defaultValue 8
   */
  readonly maxReads?: number;
};

/**
 * Makes file handlers from a host, such as the buffers of an editor. The agent gets only the methods that the host has.
 * Only a bundle that calls this function, or uses the host of `./node`, contains the code for files.
 */
export function createFileHandlers(host: FileHost, limits: FileLimits = {}): FileHandlers {
  const remedy = "pass a host with readTextFile, writeTextFile or both";
  checkArgument(typeof host === "object" && host !== null, "createFileHandlers", { got: host, remedy });
  checkOptions("createFileHandlers", host, FILES);
  checkOptions("createFileHandlers", limits, { maxReads: "count" });
  const { maxReads = 8 } = limits;
  return {
    ...(host.readTextFile && { readTextFile: (...given) => method(host, "readTextFile")(...given) }),
    ...(host.writeTextFile && { writeTextFile: (...given) => method(host, "writeTextFile")(...given) }),
    // Calls the methods of `this`, which may be a changed copy. Methods that the object does not show must not be used.
    fileRoutes({ sessions }) {
      return {
        ...(this.readTextFile && { "fs/read_text_file": readRoute(sessions, this, maxReads) }),
        ...(this.writeTextFile && { "fs/write_text_file": writeRoute(sessions, this) }),
      };
    },
  };
}

const FILES: OptionTypes<FileHandlers> = {
  ...{ readTextFile: "function", writeTextFile: "function", fileRoutes: "function" },
};

/** @throws RpcError `-32601` for a method that was removed after the client had offered it */
function method<M extends keyof FileHost>(host: FileHost, name: M): Required<FileHost>[M] {
  const { [name]: found } = host;
  if (found === undefined) throw RpcError.methodNotFound(name);
  return found.bind(host) as Required<FileHost>[M];
}

function writeRoute(sessions: HandlerHost["sessions"], host: FileHost): Route {
  return {
    params: writeTextFileRequest,
    receive: ({ sessionId, path, content }: WriteTextFileRequest, call: InboundCall) =>
      inLane(sessions.get(sessionId), call, async (session) => {
        const result: unknown = await method(host, "writeTextFile")({ path, content }, session);
        checkArgument(result !== false, "The client's writeTextFile", { got: result, remedy: "throw to refuse" });
        // The connection answers with a returned error, so the agent does not take a failure for a success.
        return result instanceof Error ? result : {};
      }),
  };
}

function readRoute(sessions: HandlerHost["sessions"], host: FileHost, maxReads: number): Route {
  const answers = new LargeAnswers(maxReads);
  return {
    params: readTextFileRequest,
    receive: ({ sessionId, path, line, limit }: ReadTextFileRequest, call: InboundCall) =>
      inLane(sessions.get(sessionId), call, (session) =>
        answers.run(call, session, async () => {
          const content = await method(host, "readTextFile")({ path, line, limit }, session);
          checkArgument(typeof content === "string", "The client's readTextFile", {
            got: content,
            remedy: "return the text itself",
          });
          return { content };
        }),
      ),
  };
}
