import { once } from "node:events";
import { connect } from "node:net";
import { listOf, membersOf } from "../members.js";
import { OLLAMA_URL } from "./known-providers.js";

/** Longest search for a local server, in milliseconds. */
const SEARCH_MS = 500;
/** Maximum size of the list in bytes, number of models, and length of a name. */
const MAX_LIST = 1024 * 1024;
const MAX_MODELS = 50;
const NAME = /^[\w.:/-]{1,120}$/;

/**
 * Returns the models of an Ollama server on this machine. Returns an empty list if no server answers within half a
 * second. No request goes to another machine.
 *
 * @param baseURL address of the server's chat completions
 */
export async function listOllamaModels(baseURL = OLLAMA_URL): Promise<readonly string[]> {
  const { hostname, port, protocol, origin } = new URL(baseURL);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "http:" || !/^(?:127\.0\.0\.1|localhost|::1)$/.test(host)) return [];
  const signal = AbortSignal.timeout(SEARCH_MS);
  try {
    if (!(await isListening({ host, port: Number(port || 80) }, signal))) return [];
    const { models } = membersOf(JSON.parse(await read(`${origin}/api/tags`, signal)));
    const names = listOf(models).map((model) => membersOf(model).name);
    return names.filter((name): name is string => typeof name === "string" && NAME.test(name)).slice(0, MAX_MODELS);
  } catch {
    return [];
  }
}

/** Returns `true` if a server accepts connections. Unlike a request, this loads no further modules of Node. */
async function isListening(place: { readonly host: string; readonly port: number }, signal: AbortSignal) {
  const socket = connect(place);
  try {
    await once(socket, "connect", { signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Reads a page. A redirect is not followed, because it could lead to another machine. */
async function read(url: string, signal: AbortSignal): Promise<string> {
  const { get } = await import("node:http");
  const request = get(url, { signal });
  const [response] = await once(request, "response", { signal });
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.length > MAX_LIST) return "";
    }
  } finally {
    request.destroy();
  }
  return response.statusCode === 200 ? text : "";
}
