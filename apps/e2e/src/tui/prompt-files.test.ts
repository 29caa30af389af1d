import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

async function createProject() {
  const cwd = await createFolder({ "README.md": "read me\n" });
  await mkdir(join(cwd, "src"));
  await writeFile(join(cwd, "src", "parser.ts"), "parse();\n");
  await writeFile(join(cwd, "my cat.png"), png);
  return cwd;
}

describe.each(["1", "2"])("files of a prompt, in version %s", (version) => {
  const args = ["--protocol", version];

  it("defect P16: @ completes the path of a file, and the agent gets its content", async () => {
    await using client = await openInteractive({ agent: dailyAgent, args, cwd: await createProject() });
    const { terminal } = client;
    terminal.type("explain @par");
    await terminal.until(/^❯ explain @par\n❯ @src\/parser\.ts$/m);
    terminal.type(keys.tab);
    await terminal.until(/^❯ explain @src\/parser\.ts$/m);
    terminal.type("and @R");
    await terminal.until(/^❯ @README\.md$/m);
    terminal.type("EADME.md");
    await terminal.until(/and @README\.md\n❯ @README\.md$/m);
    terminal.type(keys.enter);
    await terminal.until(/^Heard: explain @src\/parser\.ts and @README\.md[\s\S]*file with parse\(\);/m);
    expect(terminal.transcript().replaceAll("\n", " ")).toContain("file with read me");
  });

  it("defect P16: a mention without a file is not sent, and the draft comes back", async () => {
    await using client = await openInteractive({ agent: dailyAgent, args, cwd: await createProject() });
    const { terminal } = client;
    await client.ask("explain @src/parserx.ts");
    await terminal.until(
      /✗ There is no file src\/parserx\.ts[\s\S]*Is it parser\.ts\?[\s\S]*^❯ explain @src\/parserx\.ts$/m,
    );
    expect(terminal.transcript()).not.toContain("Heard");
  });

  it("defect P5: a dropped picture has a mark in the prompt, and the agent gets the picture", async () => {
    const cwd = await createProject();
    await using client = await openInteractive({ agent: dailyAgent, args, cwd });
    const { terminal } = client;
    terminal.type("what is ");
    terminal.type(pasted(`${join(cwd, "my cat.png").replaceAll(" ", "\\ ")} `));
    await terminal.until(/^❯ what is \[image my cat\.png\]$/m);
    terminal.type(`?${keys.enter}`);
    await terminal.until(/Heard: what is \[image my cat\.png\]\? \+ image image\/png of 16 bytes/);
  });

  it("defect P5: a line says that the agent accepts no pictures, before and after the prompt is sent", async () => {
    const agent = [...dailyAgent, "", "2", "text"];
    await using client = await openInteractive({ agent, args, cwd: await createProject() });
    const { terminal } = client;
    terminal.type(pasted("'my cat.png'"));
    await terminal.until(
      /^❯ \[image my cat\.png\][\s\S]*Daily agent accepts no pictures: it gets a link to my cat\.png\./m,
    );
    terminal.type(keys.enter);
    await terminal.until(/accepts no pictures[\s\S]*Heard: \[image my cat\.png\] \+ link to my cat\.png/);
  });
});
