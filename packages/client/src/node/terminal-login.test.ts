import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AuthMethod, type Client, isRpcError, rpcErrorCode } from "../index.js";
import { launch } from "./launch.js";
import { loginOnTerminal } from "./terminal-login.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-"));
});
afterAll(() => rm(folder, { recursive: true }));

const method = (more: object = {}): AuthMethod =>
  ({ type: "terminal", methodId: "tui", name: "Terminal", args: ["login", "--now"], env: [], ...more }) as AuthMethod;

/** The exit of a process as a terminal panel would tell it. */
const panel = (exitCode: number | null, signal: string | null = null) => vi.fn(async () => ({ exitCode, signal }));

describe("a login on a terminal", () => {
  test("is the agent's own command with the method's arguments and variables, on the given streams (V1-AUTH-11, V2-AUTH-08)", async () => {
    const file = await open(join(folder, "out"), "w");

    const script =
      "console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.WHO_USER, process.env.BASE]))";
    await loginOnTerminal([process.execPath, "-e", script, "--", "acp"], {
      method: method({ env: [{ name: "WHO_USER", value: "of the method" }] }),
      env: { WHO_USER: "the client", BASE: "kept" },
      cwd: "/",
      stdio: ["ignore", file.fd, "ignore"],
    });
    await file.close();
    const said = JSON.parse(await readFile(join(folder, "out"), "utf8"));
    expect(said).toEqual([["acp", "login", "--now"], "/", "of the method", "kept"]);
  });

  test("never takes its program from the method (V1-AUTH-13, V2-AUTH-08)", async () => {
    const run = panel(0);
    const evil = { command: "/bin/evil", path: "/bin/evil", cwd: "/evil", args: ["/bin/evil"] };
    await loginOnTerminal(["my-agent", "--acp"], { method: method(evil), env: {}, cwd: "/work", run });
    expect(run).toHaveBeenCalledExactlyOnceWith(["my-agent", "--acp", "/bin/evil"], { env: {}, cwd: "/work" });
  });

  test.each([
    ["another exit code", panel(1), "exit code 1"],
    ["a signal", panel(null, "SIGINT"), "ended by SIGINT"],
    ["an exit without a status", panel(null), "ended by an unknown cause"],
  ])("that ends by %s failed (V1-AUTH-12, V2-AUTH-08)", async (_, run, how) => {
    await expect(loginOnTerminal(["my-agent"], { method: method(), run })).rejects.toMatchObject({
      code: "login",
      message: expect.stringContaining(`"Terminal" failed: ${how}.`),
    });
  });

  test("that is cancelled ends its program, and failed (V1-AUTH-12)", async () => {
    const signal = AbortSignal.abort();
    const command = [process.execPath, "-e", "setInterval(() => {}, 1000)"] as const;
    const login = loginOnTerminal([...command], { method: method({ args: [] }), stdio: ["ignore", 2, 2], signal });
    await expect(login).rejects.toMatchObject({ code: "aborted" });
    await expect(loginOnTerminal(["x"], { method: method(), run: panel(0), signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  test("needs a method of that type, a program, and variables that can be set; no value is told", async () => {
    const other = { type: "agent", methodId: "web", name: "Web" } as const;
    await expect(loginOnTerminal(["x"], { method: other })).rejects.toMatchObject({ code: "capability" });
    await expect(loginOnTerminal(["turnkit-no-such-agent"], { method: method() })).rejects.toMatchObject({
      code: "spawn",
    });
    const odd = method({ env: [{ name: "A=B", value: "secret" }] });
    const refused = loginOnTerminal(["x"], { method: odd, run: panel(0) });
    await expect(refused).rejects.toMatchObject({ code: "login", message: expect.not.stringContaining("secret") });
  });
});

/** An agent that opens no session until somebody ran it with `login`. */
const script = `
  const fs = require("node:fs");
  if (process.argv.includes("login")) { fs.writeFileSync(process.env.LOGIN_FILE, "me"); process.exit(0); }
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const loggedIn = fs.existsSync(process.env.LOGIN_FILE);
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      const offered = params.clientCapabilities?.auth?.terminal === true;
      const tui = { type: "terminal", id: "tui", name: "Terminal", args: ["login"] };
      send({ id, result: { protocolVersion: 1, authMethods: offered ? [tui] : [] } });
    }
    if (method === "session/new" && loggedIn) send({ id, result: { sessionId: "s-1" } });
    if (method === "session/new" && !loggedIn) send({ id, error: { code: -32000, message: "Authentication required" } });
  });
`;

test("-32000, a login on the terminal, a new connection, and what failed succeeds (V1-AUTH-10, V1-AUTH-12, V2-AUTH-08)", async () => {
  const command = [process.execPath, "-e", script, "--", "acp"] as const;
  const env = { ...process.env, LOGIN_FILE: join(folder, "login") };
  const options = { info: { name: "test-client", version: "1.0.0" }, terminalLogin: true, env } as const;
  const begin = () => launch([...command], options);
  let client: Client = await begin();
  const refusal = await client.newSession({ cwd: "/work" }).catch((error: unknown) => error);
  expect(isRpcError(refusal, rpcErrorCode.authRequired)).toBe(true);
  const offered = client.peer.authMethods.find(({ type }) => type === "terminal") as AuthMethod;
  await client.close();
  await loginOnTerminal([...command], { env, method: offered });
  client = await begin();
  expect((await client.newSession({ cwd: "/work" })).id).toBe("s-1");
  await client.close();
});
