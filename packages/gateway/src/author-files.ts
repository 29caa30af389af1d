import { createFileHandlers, type FileHandlers, type FileHost, type HostSession } from "@turnkit/client";
import type { Attachment } from "./attachment.js";

/**
 * Makes file handlers for an agent. Each request goes to the client whose prompt runs, if this client offers the
 * operation. All other requests go to the gateway's own host.
 *
 * @param authorOf returns the attachment that sent the running prompt of a session
 */
// SHARE-06
export function authorFiles(own: FileHost, authorOf: (sessionId: string) => Attachment | undefined): FileHandlers {
  const filesOf = ({ sessionId, signal }: HostSession) => authorOf(sessionId)?.driver.files?.(sessionId, { signal });
  const { readTextFile, writeTextFile } = own;
  return createFileHandlers({
    ...(readTextFile && {
      readTextFile(request, session) {
        const read = filesOf(session)?.read;
        if (read === undefined) return readTextFile.call(own, request, session);
        const { line, limit } = request;
        return read(request.path, { ...(line != null && { line }), ...(limit != null && { limit }) });
      },
    }),
    ...(writeTextFile && {
      writeTextFile(request, session) {
        const write = filesOf(session)?.write;
        return write === undefined ? writeTextFile.call(own, request, session) : write(request.path, request.content);
      },
    }),
  });
}
