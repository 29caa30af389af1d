import type { WebSocketLike } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { openRemote } from "./open-remote.js";
import type { RemoteOptions } from "./remote-options.js";

/** Records which of the two profiles is asked for which address. Nothing can be opened. */
function recorder() {
  const asked: string[] = [];
  const options: RemoteOptions = {
    reconnect: false,
    fetch: async (input) => {
      asked.push(`fetch ${input instanceof Request ? input.url : input}`);
      throw new TypeError("no network");
    },
    webSocket: (url): WebSocketLike => {
      asked.push(`webSocket ${url}`);
      throw new TypeError("no network");
    },
  };
  return { asked, options };
}

test("REM-29: http and https are driven by fetch, ws and wss by a WebSocket", async () => {
  const { asked, options } = recorder();
  for (const address of ["http://a/acp", "https://a/acp"]) {
    const channel = await openRemote(address, options);
    channel.start({ message() {}, invalidLine() {} });
    void channel.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    await channel.closed;
  }
  for (const address of ["ws://a/acp", "wss://a/acp"])
    await expect(openRemote(address, options)).rejects.toThrow("no network");
  expect(asked).toEqual(["fetch http://a/acp", "fetch https://a/acp", "webSocket ws://a/acp", "webSocket wss://a/acp"]);
});

test("an address of another scheme or with a password is refused before anything is opened", async () => {
  const { asked, options } = recorder();
  await expect(openRemote("ftp://a/acp", options)).rejects.toThrow(/ftp:.*https:\/\//);
  await expect(openRemote("https://me:secret@a/acp", options)).rejects.toThrow("pass it as token");
  expect(asked).toEqual([]);
});

test("defect N108: a function webSocket without its return is refused, with an example", async () => {
  const opening = openRemote("ws://a/acp", { reconnect: false, webSocket: () => undefined as never });
  await expect(opening).rejects.toThrow(
    "openRemote webSocket result got undefined: return a WebSocket, as in (url, { headers }) => new WebSocket(url, { headers }).",
  );
});
