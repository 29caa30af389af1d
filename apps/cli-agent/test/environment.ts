import { tmpdir } from "node:os";
import { join } from "node:path";

/** Environment without keys and configuration: those of the machine must not affect the tests. */
export function unconfigured(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/_API_KEY$|_BASE_URL$|^TURNKIT_/.test(entry[0]),
  );
  const nothing = join(tmpdir(), "turnkit-nobody-configured-anything");
  return { ...Object.fromEntries(kept), XDG_CONFIG_HOME: nothing, XDG_STATE_HOME: nothing };
}
