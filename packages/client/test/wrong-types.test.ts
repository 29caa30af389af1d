import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { createElicitationBroker, createPermissionBroker } from "../src/broker/index.js";
import { connect, createElicitations, createFileHandlers, rejectOnce, retryPrompt, withLogin } from "../src/index.js";
import { createLocalFileHost, createLocalTerminalHost, launch, loginOnTerminal } from "../src/node/index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const info = { name: "test", version: "1.0.0" };
const connecting = (options: object) => connect(createMemoryPair()[0], { info, ...options });
const terminal = { type: "terminal", methodId: "a", name: "A", args: [], env: [] };

const ROWS: readonly Row[] = [
  [
    "connect",
    connecting,
    {
      ...{ omitLegacyFields: "yes", permissions: "allow", whilePrompting: "wait", cancelGraceMs: "5s", fallback: 1 },
      ...{ terminalLogin: "yes", batches: true, metaMode: "merge", promptKeys: "yes", nullSessionIds: true },
      ...{ onDiagnostic: "print" },
    },
  ],
  [
    "limits",
    (limits) => connecting({ limits }),
    { waitingMessages: "5", stateBytes: "64mb", entryBytes: -1, terminalBytes: Number.NaN, outgoingRequests: true },
  ],
  ["connect extensions", (extensions) => connecting({ extensions }), { _undo: true }],
  [
    "launch",
    (of) => launch(["node"], { info, ...of }),
    { startTimeoutMs: "30s", graceMs: "2s", stderrBytes: "5", onStderr: 1, wrapChannel: 1, spawn: 1, cwd: 5 },
  ],
  ["createFileHandlers", (of) => createFileHandlers(of), { readTextFile: true, writeTextFile: true }],
  ["createFileHandlers", (of) => createFileHandlers({ readTextFile: () => "" }, of), { maxReads: "5" }],
  ["createElicitations", (of) => createElicitations(of), { form: true, url: true }],
  [
    "createElicitationBroker",
    (of) => createElicitationBroker(of),
    { form: true, url: true, timeoutMs: "5s", audit: true },
  ],
  [
    "createPermissionBroker",
    (of) => createPermissionBroker({ ask: rejectOnce, ...of }),
    { policy: "allow", ask: "allow", timeoutMs: "5s", isInside: true, audit: true },
  ],
  [
    "createPermissionBroker remember",
    (of) => createPermissionBroker({ ask: rejectOnce, remember: { scope: "session", ...of } }),
    { scope: "projekt", ttlMs: "1d", sameAs: "kind" },
  ],
  [
    "createLocalFileHost",
    (of) => createLocalFileHost(of),
    { maxReads: "5", maxBytes: "10mb", missingAsEmpty: "yes", hardLinks: true, audit: true },
  ],
  ["createLocalTerminalHost", (of) => createLocalTerminalHost(of), { maxOutputBytes: "1mb", graceMs: "2s" }],
  [
    "retryPrompt",
    (of) => retryPrompt({} as never, {} as never, { connect: () => connecting({}), ...of } as never),
    { connect: true, promptRetry: true },
  ],
  [
    "withLogin",
    (of) => withLogin({} as never, async () => 1, { choose: () => undefined, ...of } as never),
    { choose: true, onTerminal: true },
  ],
  ["loginOnTerminal", (of) => loginOnTerminal(["node"], { method: terminal, ...of } as never), { run: true }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got }))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});
