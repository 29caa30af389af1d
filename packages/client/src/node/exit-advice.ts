import type { CloseReason } from "@turnkit/transport";

const byCode: Readonly<Record<number, string>> = {
  0: "It ended without an error: many agents speak ACP only with an argument for that, such as --acp.",
  126: "Something that it starts may not be executed: check its permissions.",
  127: "Something that it starts was not found: install it, or grant it the PATH on which it is.",
  // What cmd.exe says of a name that it does not know.
  9009: "Something that it starts was not found: install it, or grant it the PATH on which it is.",
};

const bySignal: Readonly<Record<string, string>> = {
  SIGKILL: "Something killed it, as systems do that run out of memory.",
  SIGSEGV: "It crashed: reinstall it, or try another version.",
  SIGABRT: "It crashed: its last lines may say why, such as a want of memory.",
  SIGILL: "It was built for another processor: install the build for this one.",
};

/** What to try when an agent ended before both sides had agreed on a version; `command` is for people to run. */
export function exitAdvice({ exitCode, signal }: CloseReason, command: string): string {
  const known = signal == null ? byCode[exitCode ?? -1] : bySignal[signal];
  return (
    known ?? `Run it in a terminal to see what it needs, such as a login or a variable of the environment: ${command}`
  );
}
