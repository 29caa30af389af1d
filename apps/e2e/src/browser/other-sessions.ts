import { type Client, connectWith, v2Dialect } from "@turnkit/client";
import type { Gateway } from "@turnkit/gateway";
import { onTestFinished } from "vitest";

/** Connects a client of another person of the page's group, until the end of the test. */
export async function otherPerson(gateway: Gateway): Promise<Client> {
  const client = await connectWith([v2Dialect], gateway.open({ id: "Bob", name: "Bob", group: "team" }), {
    info: { name: "other", version: "1.0.0" },
    permissions: () => "wait",
  });
  onTestFinished(() => client.close());
  return client;
}

/** Adds six sessions in which another person works. One of them waits for an answer. */
export async function addWork(gateway: Gateway): Promise<void> {
  const client = await otherPerson(gateway);
  for (let count = 0; count < 6; count++) {
    const session = await client.newSession({ cwd: `/work/${count}` });
    if (count > 0) continue;
    session.prompt("Ask.");
    await new Promise<void>((resolve) => {
      const stop = session.subscribe(() => {
        if (session.state.pendingPermissions.length === 0) return;
        stop();
        resolve();
      });
    });
  }
}
