import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkit } from "../interop/programs.js";
import { type ProgramEnd, runProgram, startProgram } from "../interop/running-program.js";

const token = "a-token-of-the-tests-0123456789";

/** `turnkit serve` in front of our agent, with its sessions in a folder. */
async function serve(state: string, cwd: string) {
  const agent = [...codingAgent, "--model", "reviewer", "--sessions", `${state}/agent`];
  const program = startProgram([...turnkit, "serve", "--listen", "127.0.0.1:0", "--", ...agent], {
    cwd,
    env: { TURNKIT_TOKEN: token, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state },
  });
  await program.printed("\n");
  const [page = "", invitation = ""] = program.output.stdout.trim().split("#token=");
  const client = (...args: readonly string[]): Promise<ProgramEnd> =>
    runProgram([...turnkit, "--url", `${page.replace("http", "ws")}acp`, "--cwd", cwd, ...args], {
      cwd,
      env: { TURNKIT_TOKEN: token, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state },
    });
  return { program, page, invitation, client };
}

it("SHARE-13 turnkit serve shares the sessions of an agent, and a later server has them", async () => {
  const [state, cwd] = [await createFolder(), await createFolder()];
  const first = await serve(state, cwd);
  const asked = await first.client("--output", "json", "-p", "/help");
  expect(JSON.parse(asked.stdout)).toMatchObject({ exitCode: 0, text: expect.stringContaining("/review") });
  const { sessionId } = JSON.parse(asked.stdout);
  const again = await first.client("--continue", "--output", "json", "-p", "/help");
  expect(JSON.parse(again.stdout)).toMatchObject({ exitCode: 0, sessionId, restored: "replayed" });
  first.program.kill("SIGTERM");
  expect((await first.program.ended).code).toBe(0);
  const second = await serve(state, cwd);
  const later = await second.client("--continue", "--output", "json", "-p", "/help");
  expect(JSON.parse(later.stdout)).toMatchObject({ exitCode: 0, sessionId, restored: "replayed" });
});

it("SHARE-12 SHARE-13 an invitation lets one browser in, once; nobody else gets anything", async () => {
  const cwd = await createFolder();
  const { page, invitation } = await serve(await createFolder(), cwd);
  const login = (secret: string) =>
    fetch(`${page}login`, { method: "POST", headers: { authorization: `Bearer ${secret}` } });
  const initialize = (headers: Record<string, string>) =>
    fetch(`${page}acp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: 1, clientCapabilities: {} },
      }),
    });
  expect((await initialize({})).status).toBe(401);
  expect((await login("not-the-invitation")).status).toBe(401);
  const welcome = await login(invitation);
  expect(welcome.status).toBe(204);
  const cookie = welcome.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^turnkit-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
  expect((await login(invitation)).status).toBe(401);
  const [pair = ""] = cookie.split(";");
  expect((await initialize({ cookie: pair })).status).toBe(200);
  expect((await initialize({ cookie: `${pair.slice(0, -1)}_` })).status).toBe(401);
  expect((await initialize({ cookie: pair, origin: "https://evil.example" })).status).toBe(403);
  expect((await fetch(`${page}settings.json`)).status).toBe(204);
  const settings = await fetch(`${page}settings.json`, { headers: { cookie: pair } });
  expect(await settings.json()).toEqual({ folder: cwd });
  expect((await fetch(`${page}files.json?folder=${encodeURIComponent(cwd)}`)).status).toBe(204);
  for (const path of [
    "anything",
    "assets/..%2fpackage.json",
    "%2e%2e/package.json",
    "assets/%2e%2e/x",
    ".env",
    "acp/x",
  ]) {
    expect((await fetch(`${page}${path}`)).status, path).toBe(404);
  }
});

it("SHARE-12 defect G21: a browser stays logged in at one server of a machine when it logs in at another", async () => {
  const [cwd, jar] = [await createFolder(), new Map<string, string>()];
  const servers = [await serve(await createFolder(), cwd), await serve(await createFolder(), cwd)];
  for (const { page, invitation } of servers) {
    const authorization = `Bearer ${invitation}`;
    const { headers } = await fetch(`${page}login`, { method: "POST", headers: { authorization } });
    const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? [];
    jar.set(name, value);
  }
  // A browser sends the cookies of a host to each of its ports.
  const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
  for (const { page } of servers)
    expect((await fetch(`${page}settings.json`, { headers: { cookie } })).status).toBe(200);
});

it("SHARE-12 defect E8: a browser stays logged in when the server starts again, and not at the server of another agent", async () => {
  const [state, cwd] = [await createFolder(), await createFolder()];
  const first = await serve(state, cwd);
  const authorization = `Bearer ${first.invitation}`;
  const { headers } = await fetch(`${first.page}login`, { method: "POST", headers: { authorization } });
  const value = /=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1];
  first.program.kill("SIGTERM");
  await first.program.ended;
  const statusAt = async ({ page }: { readonly page: string }) => {
    // The name of the cookie has the port, which is another one here.
    const cookie = `turnkit-${new URL(page).port}=${value}`;
    return (await fetch(`${page}settings.json`, { headers: { cookie } })).status;
  };
  expect(await statusAt(await serve(state, cwd))).toBe(200);
  expect(await statusAt(await serve(await createFolder(), cwd))).toBe(204);
});

it("SHARE-13 an address or a command that cannot be used is said in one sentence", async () => {
  const cwd = await createFolder();
  const env = { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd };
  for (const [args, sentence] of [
    [["--listen", "nonsense", "--", "node"], "--listen is an address such as 127.0.0.1:8040"],
    [["--listen", "127.0.0.1:70000", "--", "node"], "--listen is an address such as"],
    [["--url", "ws://127.0.0.1:1"], "Unknown option '--url'"],
  ] as const) {
    const { code, stderr } = await runProgram([...turnkit, "serve", ...args], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  }
});

it("SHARE-13 defect N50: an agent that does not start ends the program before an address is printed", async () => {
  const cwd = await createFolder();
  const env = { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd };
  const dying = ["node", "-e", "console.error('No key.\\nSet ONE.'); process.exit(3)"];
  for (const [command, sentences] of [
    [["no-such-agent"], ["turnkit: Could not start no-such-agent: it was not found in"]],
    [["./no-such-agent"], ["there is no such file; check the path."]],
    [dying, ["exited with code 3", "No key.", "Set ONE."]],
  ] as const) {
    const args = ["serve", "--listen", "127.0.0.1:0", "--", ...command];
    const { code, stdout, stderr } = await runProgram([...turnkit, ...args], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const sentence of sentences) expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("␊");
  }
});

it("SHARE-12 defect N51: a token that could be guessed is refused", async () => {
  const cwd = await createFolder();
  const env = { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd, TURNKIT_TOKEN: "fifteen-letters" };
  const args = ["serve", "--listen", "127.0.0.1:0", "--", ...codingAgent];
  const { code, stdout, stderr } = await runProgram([...turnkit, ...args], { cwd, env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("The token has 15 characters. Use 16 or more, for example of: openssl rand -hex 32");
});
