import { refuse } from "../server/answers.js";
import type { RemoteServer } from "../server/remote-server.js";
import { type Arrival, type Handler, readRequest } from "./handler.js";
import type { ListenLimits } from "./limits.js";

/** Returns the function of a port that answers requests: those of the path go to the server, others get 404. */
export function createHandler(
  server: RemoteServer,
  { limits, path }: { readonly limits: ListenLimits; readonly path: string | undefined },
): Handler {
  const isServed = ({ url }: Request) => path === undefined || new URL(url).pathname === path;
  const answerBy = async <A>(answer: (request: Request) => Promise<A>, arrival: Arrival): Promise<A | Response> => {
    const request = readRequest(arrival);
    if (request instanceof Response || !isServed(request)) {
      arrival.body?.drop();
      return request instanceof Response ? request : refuse(404, "Nothing is served at this path.");
    }
    try {
      return await answer(request);
    } catch {
      return refuse(500, "The server failed.");
    }
  };
  return {
    limits,
    async answer(arrival) {
      const response = await answerBy((request) => server.fetch(request), arrival);
      if (arrival.method !== "HEAD" || response.body === null) return response;
      await response.body.cancel().catch(() => {});
      return new Response(null, response);
    },
    upgrade: (arrival) => answerBy((request) => server.upgrade(request), arrival),
  };
}
