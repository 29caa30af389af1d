import type { ToolCall, ToolCallFields } from "@turnkit/agent";
import { messageOf } from "../errors.js";
import type { ToolOutput } from "../model.js";

/**
 * Output of a tool, with the members of the last update of its call. These members may contain another final status.
 */
export type EndedOutput = ToolOutput & { readonly end?: ToolCallFields };

// This function has its own file, because the file of the built-in tools loads zod.
/**
 * Runs a tool and reports the end of its call: `completed`, `cancelled` after an abort, or `failed`.
 *
 * @throws the error of the tool; after an abort, the reason of the signal
 */
export async function runCall(
  call: ToolCall,
  signal: AbortSignal,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    const { end, ...output }: EndedOutput = await run();
    await call.finish(end);
    return output as ToolOutput;
  } catch (error) {
    if (signal.aborted) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw signal.aborted ? signal.reason : error;
  }
}
