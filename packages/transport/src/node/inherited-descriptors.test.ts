import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("index.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");

test.runIf(process.platform === "linux")(
  "defect S18: a started program gets no descriptor that this process inherited",
  async () => {
    const program = `
      import { startProcess } from ${JSON.stringify(source)};
      const { child } = await startProcess(["/bin/sh", "-c", "readlink /proc/self/fd/5 /proc/self/fd/40"], { stdin: false });
      child.stdout.pipe(process.stdout);
    `;
    const [five, forty] = [openSync("/etc/hostname", "r"), openSync("/etc/hosts", "r")];
    const stdio = ["ignore", "pipe", "inherit", ...new Array(38).fill("ignore")];
    [stdio[5], stdio[40]] = [five, forty];
    const args = ["--import", tsx, "--conditions=@turnkit/source", "--input-type=module", "-e", program];
    const outer = spawn(process.execPath, args, { stdio });
    let printed = "";
    outer.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    await once(outer, "close");
    expect(printed.trim().split("\n")).toContain("/dev/null");
    expect(printed).not.toMatch(/hostname|hosts/);
  },
);
