import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { turnkit, turnkitAgent } from "../interop/programs.js";
import { runSource } from "../process/source.js";
import { createGateServer } from "./gate-server.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";
import { screenSvg } from "./screen-svg.js";

// Makes the pictures of the README: the client in a terminal, as it is.
const target = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));
const sample = fileURLToPath(new URL("../../../cli-agent/samples/cart.ts", import.meta.url));
const scripted = runSource(new URL("./scripted-agent-main.ts", import.meta.url));

const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-pictures-")));
await copyFile(sample, join(folder, "cart.ts"));
await mkdir(target, { recursive: true });
const gates = await createGateServer();

const showcase = [...scripted, "showcase", String(gates.port)];

await picture({ name: "conversation", title: "turnkit -- my-agent", agent: showcase }, async (terminal) => {
  terminal.type("The total of an empty cart throws. Fix it");
  await terminal.until(/Fix it/);
  terminal.type(keys.enter);
  await terminal.until(/sum \+ price, 0\);\n[\s\S]*USD/);
  await terminal.until((screen) => !screen.includes("Working"));
});

await picture({ name: "permission", title: "turnkit -- turnkit-agent", agent: turnkitAgent }, async (terminal) => {
  terminal.type("Review cart.ts");
  await terminal.until(/cart\.ts/);
  terminal.type(keys.enter);
  await terminal.until(/Permission:[\s\S]*Esc cancels/);
  terminal.type("1");
  await terminal.until(/❯ 1\)/);
});

await picture({ name: "transcript", title: "turnkit: Ctrl-O", agent: showcase, rows: 14 }, async (terminal) => {
  terminal.type(`Fix it${keys.enter}`);
  await terminal.until(/USD/);
  await terminal.until((screen) => !screen.includes("Working"));
  terminal.type(keys.ctrlO);
  await terminal.until(/Transcript/);
  terminal.type(keys.home);
  await terminal.until(/Transcript 1\//);
  terminal.type(`${keys.down}${keys.enter}`);
  await terminal.until(/▾/);
});

await gates[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true, maxRetries: 10 });

type Picture = {
  readonly name: string;
  readonly title: string;
  readonly agent: readonly string[];
  readonly rows?: number;
};

/** One picture: an agent behind the client, and what is typed until the screen is as it shall be. */
async function picture(
  { name, title, agent, rows = 34 }: Picture,
  play: (terminal: PseudoTerminal) => Promise<void>,
): Promise<void> {
  await using terminal = await PseudoTerminal.open({ command: [...turnkit, "--", ...agent], cwd: folder, rows });
  await terminal.until(/^❯/m);
  await play(terminal);
  await writeFile(join(target, `${name}.svg`), screenSvg(terminal.terminal, { title }));
  console.log(`docs/images/${name}.svg`);
}
