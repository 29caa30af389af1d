import { execFile } from "node:child_process";

/** Returns the reason why commands cannot be sandboxed on this machine, or `undefined`. */
export function reasonAgainst(): Promise<string | undefined> {
  const flags = [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return new Promise((resolve) => {
    execFile("bwrap", [...flags, "--", "/bin/sh", "-c", ":"], { timeout: 10_000 }, (error, _, stderr) => {
      if (error === null) resolve(undefined);
      else resolve(error.code === "ENOENT" ? "bubblewrap is not installed" : stderr.trim() || error.message);
    });
  });
}
