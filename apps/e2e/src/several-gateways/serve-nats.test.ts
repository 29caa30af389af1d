import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { runProgram } from "../interop/running-program.js";
import { describeWithCluster, describeWithNats, startNats } from "./nats-server.js";
import { attached, clientAt, said, serveWith } from "./served-gateway.js";

describeWithNats("turnkit serve --nats", () => {
  it("NATS-09 NATS-12 two programs share a session, and one goes on when the other is killed in the middle of a turn", async () => {
    const { address } = await startNats("-js");
    const folders = { cwd: await createFolder(), agent: await createFolder() };
    const options = ["--nats", `nats://${address}`, "--takeover", "2s"];
    const [a, b] = [await serveWith(folders, options), await serveWith(folders, options)];
    const ann = await (await clientAt(a.page)).newSession({ cwd: folders.cwd });
    await ann.prompt("first").ended;
    const bob = await attached(await clientAt(b.page), ann.id, folders.cwd);
    await expect.poll(() => said(bob)).toEqual(["user: first", "agent: Heard first."]);
    const turn = bob.prompt("wait");
    await expect.poll(() => said(ann).at(-1)).toBe("agent: Begun.");
    await expect.poll(() => said(bob).at(-1)).toBe("agent: Begun.");
    a.program.kill("SIGKILL");
    const end = await turn.ended.catch((error: unknown) => ({ error }));
    expect(end.error).toBeDefined();
    expect((await bob.prompt("second").ended).error).toBeUndefined();
    const whole = ["user: first", "agent: Heard first.", "user: wait", "agent: Begun."];
    expect(said(bob)).toEqual([...whole, "user: second", "agent: Heard second."]);
    // Another client at the gateway that is left reads the same.
    expect(said(await attached(await clientAt(b.page), ann.id, folders.cwd))).toEqual(said(bob));
  }, 60_000);

  it("SHARE-13 what is wrong with --nats is said in one sentence, with its place and a remedy", async () => {
    const { address: plain } = await startNats();
    const { address: guarded } = await startNats("-js", "--user", "ann", "--pass", "the-secret");
    const { address: stored } = await startNats("-js");
    const folders = { cwd: await createFolder(), agent: await createFolder() };
    const first = await serveWith(folders, ["--nats", `nats://${stored}`, "--stream-count", "2"]);
    first.program.kill("SIGTERM");
    expect((await first.program.ended).code).toBe(0);
    const { cwd } = folders;
    const run = (...options: readonly string[]) =>
      runProgram([...turnkit, "serve", "--listen", "127.0.0.1:0", ...options, "--", "node", "-e", "0"], {
        cwd,
        env: { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd },
      });
    const at = (address: string, login = "") => ["--nats", `nats://${login}${address}`];
    for (const [options, code, sentences] of [
      [at("127.0.0.1:1"), 1, ["127.0.0.1:1 cannot be reached: connection refused", "nats-server -js"]],
      [at(plain), 2, [`${plain} has no JetStream`, "Start nats-server with -js"]],
      [at(guarded), 2, [`${guarded} refuses the login`, "TURNKIT_NATS_USER"]],
      [at(guarded, "ann:a-wrong-secret@"), 2, [`${guarded} refuses the login`]],
      [
        [...at(stored), "--stream-count", "3"],
        2,
        ["made with 2 streams", "Pass the --stream-count of the first start"],
      ],
      [[...at(stored), "--replicas", "2"], 2, ["--replicas is 1, 3 or 5"]],
      [[...at(stored), "--nats-ca", `${cwd}/missing.pem`], 2, ["--nats-ca: ", "missing.pem cannot be read"]],
      [["--stream-count", "3"], 2, ["--stream-count is for the servers of --nats, which is missing"]],
    ] as const) {
      const { stdout, stderr, ...end } = await run(...options);
      expect({ code: end.code, stdout, stderr }).toMatchObject({ code, stdout: "" });
      for (const sentence of sentences) expect(stderr).toContain(sentence);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toMatch(/secret|\bat .*:\d+:\d+/);
    }
  }, 60_000);

  it("SHARE-13 a login in an address or in the environment works, is never printed, and does not reach the agent", async () => {
    const { address } = await startNats("-js", "--user", "ann", "--pass", "the-secret");
    const { cwd } = { cwd: await createFolder() };
    const env = { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd };
    const telling =
      "console.error('keys ' + Object.keys(process.env).filter((name) => name.startsWith('TURNKIT_NATS')))";
    for (const [servers, login] of [
      [`nats://ann:the-secret@${address}`, {}],
      [address, { TURNKIT_NATS_USER: "ann", TURNKIT_NATS_PASSWORD: "the-secret" }],
    ] as const) {
      // The agent ends at once, so the program ends after the storage was opened.
      const args = ["serve", "--listen", "127.0.0.1:0", "--nats", servers, "--", "node", "-e", telling];
      const { code, stdout, stderr } = await runProgram([...turnkit, ...args], { cwd, env: { ...env, ...login } });
      // defect N65: people of this machine read the words of a command line.
      expect(stderr.includes("can read the login of --nats")).toBe(servers.includes("@"));
      expect({ code, stdout, stderr }).toMatchObject({ code: 1, stdout: "" });
      expect(stderr).toMatch(/keys\s*$/m);
      expect(stderr).not.toContain("secret");
    }
  }, 60_000);
});

describeWithCluster("turnkit serve --nats --replicas", () => {
  it("NATS-12 defect G50: another number of replicas than that of the storage is refused, with the number and a remedy", async () => {
    const { address } = await startNats("-js");
    const cwd = await createFolder();
    const start = (...options: readonly string[]) =>
      runProgram(
        [...turnkit, "serve", "--listen", "127.0.0.1:0", "--nats", address, ...options, "--", "node", "-e", "0"],
        { cwd, env: { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd } },
      );
    // The agent ends at once, after the storage was opened.
    expect((await start()).code).toBe(1);
    const { code, stderr } = await start("--replicas", "3");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("has 1 replica, not 3") });
    expect(stderr).toContain("Pass --replicas 1, or change");
    expect((await start("--replicas", "1")).code).toBe(1);
  }, 60_000);
});
