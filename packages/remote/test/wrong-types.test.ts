import { expect, test } from "vitest";
import { openRemote } from "../src/client/index.js";
import { listen } from "../src/node/index.js";
import { createRemoteServer } from "../src/server/index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const open = (options: object) => openRemote("http://127.0.0.1:1", options);
const serve = (options: object) => createRemoteServer({ open: () => undefined, ...options } as never);

const ROWS: readonly Row[] = [
  ["openRemote", open, { fetch: true, webSocket: true, maxSessions: "5", onState: true, onDiagnostic: "print" }],
  [
    "openRemote reconnect",
    (reconnect) => open({ reconnect }),
    { attempts: "5", firstDelayMs: "5s", longestDelayMs: -1, silenceMs: Number.NaN },
  ],
  [
    "createRemoteServer",
    serve,
    { open: {}, authorize: "token", keepAliveMs: "15s", graceMs: "60s", onDiagnostic: "print" },
  ],
  ["createRemoteServer limits", (limits) => serve({ limits }), { bodyBytes: "1mb", sessions: "5", stalledMs: "5s" }],
  ["createRemoteServer resumption", (resumption) => serve({ resumption }), { messages: "5", seconds: "5" }],
  ["listen", (of) => listen(serve({}), of), { port: "4000", host: 5, path: 5, beyondLoopback: "yes" }],
  ["listen limits", (limits) => listen(serve({}), { limits }), { connections: "5", headerMs: "5s" }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got }))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});
