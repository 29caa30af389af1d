import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { startProgram } from "../interop/running-program.js";
import { startCutProxy } from "../remote/cut-proxy.js";
import { describeWithNats, startNats } from "./nats-server.js";
import { serveWith, token } from "./served-gateway.js";

describeWithNats("a client behind a load balancer", () => {
  it("NATS-09 defect N70: turnkit -p whose gateway is killed tells a person what happened, and how to go on", async () => {
    const { address } = await startNats("-js");
    const folders = { cwd: await createFolder(), agent: await createFolder() };
    const [a, b] = [await serveWith(folders, ["--nats", address]), await serveWith(folders, ["--nats", address])];
    const portOf = ({ page }: { readonly page: string }) => Number(new URL(page).port);
    const balancer = await startCutProxy(portOf(a));
    const { cwd } = folders;
    const url = `ws://127.0.0.1:${balancer.port}/acp`;
    const client = startProgram([...turnkit, "--url", url, "-p", "wait"], {
      cwd,
      env: { TURNKIT_TOKEN: token, XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd },
    });
    await client.printed("Begun.");
    a.program.kill("SIGKILL");
    await a.program.ended;
    balancer.cut();
    balancer.lead(portOf(b));
    const { code } = await client.ended;
    const { stderr, stdout } = client.output;
    expect({ code, stderr, stdout }).toMatchObject({ code: 1 });
    expect(stderr + stdout).toContain("another server has answered");
    expect(stderr + stdout).toMatch(new RegExp(`turnkit --url ${url} --session \\S+`));
    expect(stderr + stdout).not.toMatch(/client\.restore|Check its address/);
  }, 60_000);
});
