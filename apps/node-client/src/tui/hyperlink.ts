import { createSupportsHyperlinks } from "supports-hyperlinks";

/** Characters that an address may contain in a terminal. All other characters must be encoded. */
const PRINTABLE = /^[!-~]+$/;

/** Returns a painted text as a link of the terminal (OSC 8). */
export function hyperlink(painted: string, address: string): string {
  return PRINTABLE.test(address) ? `\u001b]8;;${address}\u001b\\${painted}\u001b]8;;\u001b\\` : painted;
}

/** Returns `true` if a terminal shows links. `FORCE_HYPERLINK` decides for unknown terminals. */
export function showsLinks(stdout: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return env.TURNKIT_LINKS !== "0" && createSupportsHyperlinks(stdout);
}
