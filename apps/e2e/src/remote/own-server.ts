import { type ListenOptions, listen } from "@turnkit/remote/node";
import { createRemoteServer, type RemoteServerOptions } from "@turnkit/remote/server";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";

/** Settings of the server and of its port. */
export type OwnServerOptions = ListenOptions & {
  readonly server?: Partial<Omit<RemoteServerOptions, "agent" | "open">>;
};

/** Addresses of a server of turnkit on one port. */
export type OwnServer = { readonly http: string; readonly webSocket: string; close(): Promise<void> };

/** Starts turnkit's own server in front of any agent, until the end of the test. */
export async function startOwnServer(
  serve: (channel: Channel) => unknown,
  { server: settings, ...options }: OwnServerOptions = {},
): Promise<OwnServer> {
  const open = () => {
    const [near, far] = createMemoryPair();
    serve(far);
    return near;
  };
  const { url, close } = await listen(createRemoteServer({ ...settings, open }), {
    path: "/acp",
    ...options,
    limits: { closeMs: 500, ...options.limits },
  });
  onTestFinished(close);
  return { http: url, webSocket: url.replace("http", "ws"), close };
}
