import { isSessionLogError } from "@turnkit/agent";
import { RpcError } from "@turnkit/transport";

/** Runs work on a log, and converts errors of the log into errors for the client. */
export async function withRpcErrors<T>(sessionId: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSessionLogError(error, "not_found")) throw RpcError.resourceNotFound({ sessionId });
    if (isSessionLogError(error, "locked")) throw RpcError.invalidRequest("another gateway has the session open");
    if (isSessionLogError(error, "cursor"))
      throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
    throw error;
  }
}
