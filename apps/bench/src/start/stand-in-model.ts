import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Server that answers every request of a model immediately, in the form of OpenAI's chat completions. */
export interface StandInModel {
  /** Base URL for the agent. */
  readonly url: string;
  /** Text of every answer. */
  readonly answer: string;
}

const pieces = ["Four ", "files."] as const;

/** Starts a {@link StandInModel} on a free port of this machine. It ends with this process. */
export async function startStandInModel(): Promise<StandInModel> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const content of pieces) response.write(eventOf({ delta: { role: "assistant", content } }));
      response.write(eventOf({ delta: {}, finish_reason: "stop" }));
      response.end("data: [DONE]\n\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, answer: pieces.join("") };
}

function eventOf(choice: { readonly delta: object; readonly finish_reason?: string }): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }];
  const chunk = { id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
