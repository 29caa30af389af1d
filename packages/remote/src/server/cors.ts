import { headerName } from "../wire/headers.js";

const own = Object.values(headerName).join(", ");
const allowed = `Accept, Authorization, Content-Type, ${own}`;

/** Names of headers, as browsers ask for them. */
const nameList = /^[a-z0-9_-]+(, ?[a-z0-9_-]+)*$/i;
const MAX_NAMES = 1_024;

/** Answers the preflight request of a browser, and any other `OPTIONS`. */
// REM-21
export function answerOptions(request: Request): Response {
  const methods = "POST, GET, DELETE, OPTIONS";
  const headers = new Headers({ Allow: methods });
  if (request.headers.has("Access-Control-Request-Method")) {
    const asked = request.headers.get("Access-Control-Request-Headers") ?? "";
    const isNameList = asked.length <= MAX_NAMES && nameList.test(asked);
    headers.set("Access-Control-Allow-Methods", methods);
    headers.set("Access-Control-Allow-Headers", isNameList ? asked : allowed);
    headers.set("Access-Control-Max-Age", "600");
  }
  return new Response(null, { status: 204, headers });
}

/** Adds the CORS headers that let a page of a known origin read an answer. */
// REM-21
export function withCors(request: Request, response: Response): Response {
  const origin = request.headers.get("Origin");
  if (origin === null) return response;
  const headers = new Headers(response.headers);
  headers.set("Access-Control-Allow-Origin", origin);
  headers.append("Vary", "Origin");
  headers.set("Access-Control-Expose-Headers", `${headerName.connectionId}, ${headerName.cursor}`);
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}
