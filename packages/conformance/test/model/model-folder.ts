import { NOTE } from "../../src/agent/replies.js";
import type { ClientFolder } from "../../src/client/client-pipe.js";

/** Folder in memory with links, for clients of the same process. */
export class ModelFolder implements ClientFolder {
  readonly cwd = "/work";
  readonly note = "/work/note.txt";
  readonly lines = "/work/lines.txt";
  readonly outside = "/outside/secret.txt";
  readonly linkedFile = "/work/linked.txt";
  readonly linkedFolder = "/work/linked";
  readonly script = "/bin/node";
  readonly files = new Map([
    ["/work/note.txt", NOTE],
    ["/work/lines.txt", "one\ntwo\nthree\nfour\n"],
    ["/outside/secret.txt", "secret\n"],
  ]);
  readonly links = new Map([
    ["/work/linked.txt", "/outside/secret.txt"],
    ["/work/linked", "/outside"],
  ]);
  /** Files with the id of a process that runs. */
  readonly running = new Set<string>();

  /** Follows links and dots. */
  resolve(path: string): string {
    const parts: string[] = [];
    for (const part of path.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
      const target = this.links.get(`/${parts.join("/")}`);
      if (target !== undefined) parts.splice(0, parts.length, ...target.split("/").filter(Boolean));
    }
    return `/${parts.join("/")}`;
  }

  async read(path: string): Promise<string | undefined> {
    return this.files.get(this.resolve(path));
  }

  async isRunning(path: string): Promise<boolean> {
    return this.running.has(path);
  }
}
