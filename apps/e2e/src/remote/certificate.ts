import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let made: { readonly key: string; readonly cert: string } | undefined;

/** Makes a certificate for `localhost` and `127.0.0.1` by the program openssl, once. */
export function certificate(): { readonly key: string; readonly cert: string } {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-nodes", "-days", "30", ...curve, "-keyout", key, "-out", cert, ...subject],
    {
      stdio: "ignore",
    },
  );
  made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
