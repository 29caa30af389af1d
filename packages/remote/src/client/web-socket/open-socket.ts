import { AcpError, type Channel, ConnectionClosedError, checkArgument, textOf, withinGrace } from "@turnkit/transport";
import { createWebSocketChannel, type WebSocketLike } from "@turnkit/transport/channels";
import { headerName, SUBPROTOCOL, TOKEN_SUBPROTOCOL } from "../../wire/headers.js";
import { MAX_BODY_BYTES } from "../../wire/limits.js";
import { linesOf } from "../../wire/packed.js";
import { WEB_SOCKET } from "../check-options.js";
import { readCookies, requestHeaders, tokenOf, withAdvice } from "../http/requests.js";
import type { RemoteOptions, WebSocketRequest } from "../remote-options.js";
import type { Secrets } from "../secrets.js";
import { INITIALIZE_MS, isBrowser } from "../settings.js";

/** A WebSocket that is open. */
export type OpenSocket = {
  readonly channel: Channel;
  /** Begins to read packed frames. */
  readonly unpack: () => void;
  /** Id of the connection, if the runtime shows the headers of the upgrade. */
  readonly connectionId: string | undefined;
  /** Close code, after the end. */
  readonly closeCode: () => number;
  /** Calls a function for each ping or pong of the server. Only the library `ws` shows them. */
  readonly onSign: (listener: () => void) => void;
  /** Sends a ping. Absent if the runtime cannot send pings. */
  readonly ping: (() => void) | undefined;
};

/** Characters of a subprotocol. */
// REM-37
const SUBPROTOCOL_FORM = /^[\w.~+!$&'*^|#%`-]+$/;
const ALLOWED = "letters, digits and -._~+!$&'*^|#%`, without spaces. Use such a token, or an http: address.";

type SocketSettings = { readonly options: RemoteOptions; readonly secrets: Secrets };

/** Events of sockets of the library `ws`. */
type WithUpgrade = WebSocketLike & {
  on?(event: "upgrade", listener: (answer: { readonly headers: UpgradeHeaders }) => void): void;
  on?(event: "ping" | "pong", listener: () => void): void;
  ping?(): void;
};
type UpgradeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Opens a WebSocket. `connectionId` names the connection that it continues.
 *
 * @throws ConnectionClosedError if it cannot be opened within 30 s
 * @throws AcpError `state` in a runtime without WebSocket
 * @throws TypeError for a token that cannot be sent
 */
export async function openSocket(
  url: URL,
  { options, secrets }: SocketSettings,
  connectionId?: string,
): Promise<OpenSocket> {
  const request = await socketRequest(url, { options, secrets }, connectionId);
  const clean = (text: unknown) => secrets.clean(textOf(text));
  const socket: WithUpgrade = create({ url: url.href, request, clean }, options);
  let id: string | undefined;
  socket.on?.("upgrade", ({ headers }) => {
    const setCookies = headers["set-cookie"] ?? [];
    if (setCookies.length > 0) options.cookies?.write(url, [setCookies].flat());
    const given = headers[headerName.connectionId.toLowerCase()];
    if (typeof given === "string") id = given;
  });
  let code = 1005;
  const opened = new Promise<void>((resolve, reject) => {
    let fault = "";
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", (event) => {
      fault = ` ${withAdvice(clean((event as { readonly message?: unknown }).message ?? ""))}`.trimEnd();
    });
    socket.addEventListener("close", (event) => {
      code = (event as { readonly code?: number }).code ?? code;
      reject(notOpened(`Check its address, and whether the server lets this side in (code ${code}).${fault}`));
    });
  });
  let isPacked = false;
  const split = (frame: string) => (isPacked ? linesOf(frame) : [frame]);
  const channel = createWebSocketChannel(socket, { message: MAX_BODY_BYTES, split });
  if (!(await withinGrace(opened, INITIALIZE_MS))) {
    socket.close();
    throw notOpened(`It did not open within ${INITIALIZE_MS} ms.`);
  }
  return {
    channel,
    unpack() {
      isPacked = true;
    },
    connectionId: id,
    closeCode: () => code,
    onSign(listener) {
      socket.on?.("ping", listener);
      socket.on?.("pong", listener);
    },
    ping: socket.ping && socket.on && (() => socket.readyState === 1 && socket.ping?.()),
  };
}

const notOpened = (message: string) =>
  new ConnectionClosedError("The WebSocket was not opened", { kind: "failed", message });

/** Returns headers where the runtime can send them, or else the token as a subprotocol. */
// REM-30, REM-37
async function socketRequest(
  url: URL,
  { options, secrets }: SocketSettings,
  connectionId: string | undefined,
): Promise<WebSocketRequest> {
  if (isBrowser()) {
    const token = await tokenOf(options.token, secrets);
    if (token !== undefined && !SUBPROTOCOL_FORM.test(token)) {
      // The message of a browser would be about a subprotocol, which the caller does not know.
      throw new TypeError(`openRemote token cannot be sent: a WebSocket of a browser carries only ${ALLOWED}`);
    }
    return { headers: {}, protocols: token === undefined ? [] : [SUBPROTOCOL, `${TOKEN_SUBPROTOCOL}${token}`] };
  }
  const headers = await requestHeaders(options, secrets, {
    [headerName.connectionId]: connectionId,
    Cookie: options.headers?.Cookie ?? readCookies(options.cookies, url, secrets),
  });
  return { headers: Object.fromEntries(headers), protocols: [] };
}

type Creation = {
  readonly url: string;
  readonly request: WebSocketRequest;
  readonly clean: (text: unknown) => string;
};

function create({ url, request, clean }: Creation, { webSocket }: RemoteOptions): WebSocketLike {
  const made = (work: () => WebSocketLike): WebSocketLike => {
    try {
      return work();
    } catch (cause) {
      // The message of a runtime contains the subprotocol, which is the token.
      throw notOpened(`It could not be created: ${clean(cause)}`);
    }
  };
  if (webSocket !== undefined) {
    const got = made(() => webSocket(url, request)) as WebSocketLike | undefined;
    const isSocket = typeof got?.send === "function";
    checkArgument(isSocket, "openRemote webSocket result", { got, remedy: `return a WebSocket, as in ${WEB_SOCKET}` });
    return got as WebSocketLike;
  }
  const { WebSocket } = globalThis as unknown as {
    readonly WebSocket?: new (url: string, second: unknown) => WebSocketLike;
  };
  if (WebSocket === undefined) {
    const remedy = `Pass the option webSocket, such as ${WEB_SOCKET}, with WebSocket of the library ws`;
    throw new AcpError("state", `This runtime has no WebSocket. ${remedy}.`);
  }
  return made(() => new WebSocket(url, isBrowser() ? request.protocols : { headers: request.headers }));
}
