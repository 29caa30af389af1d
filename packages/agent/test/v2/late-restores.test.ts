import { describe, expect, test } from "vitest";
import { createMemoryLog } from "../../src/index.js";
import { connectAs, gate, openAs, v2Hello } from "../raw-client.js";

describe.each([["with a log"], ["without a log"]])(
  "a restore %s that is slower than the close of its connection",
  (which) => {
    test.each([
      ["within the grace time", 10_000],
      ["after it", 0],
    ])("defect R12: is cleaned up once, and frees its session: %s", async (_, cancelGraceMs) => {
      const log = createMemoryLog();
      const handlers = which === "with a log" ? { log } : {};
      const first = await openAs(v2Hello, handlers);
      const place = { sessionId: first.sessionId, cwd: "/work" };
      await first.served.close();
      const [asked, answered, cleaned] = [gate(), gate(), gate()];
      const cleanUps: unknown[] = [];
      const { client, served, diagnostics } = await connectAs<{ n: number }>(
        v2Hello,
        {
          ...handlers,
          async restoreSession() {
            asked.open();
            await answered.promise;
            return { data: { n: 1 } };
          },
          closeSession({ id, data, signal }) {
            cleanUps.push({ id, data, isAborted: signal.aborted });
            cleaned.open();
          },
        },
        { cancelGraceMs },
      );
      void client.request("session/resume", place);
      await asked.promise;
      const closing = served.close();
      if (cancelGraceMs === 0) await closing;
      answered.open();
      await Promise.all([closing, cleaned.promise]);
      await served.close();
      expect(cleanUps).toEqual([{ id: place.sessionId, data: { n: 1 }, isAborted: true }]);
      expect(diagnostics).toEqual([]);
      const next = await connectAs(v2Hello, { ...handlers, restoreSession: () => undefined });
      await next.client.result("session/resume", place);
    });
  },
);
