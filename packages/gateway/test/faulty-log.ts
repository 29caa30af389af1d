import { createMemoryLog, type SessionLog, type SessionLogWriter } from "@turnkit/agent";

/** Calls of a log writer that a test can replace. */
export type WriterFault = Partial<Pick<SessionLogWriter, "append" | "commit">> & {
  readonly dispose?: () => Promise<void>;
};

/** Log in memory whose writers have faults from the moment at which `fault` returns some. */
export function faultyLog(fault: () => WriterFault | undefined): SessionLog {
  const log = createMemoryLog();
  return {
    ...log,
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append: (event) => (fault()?.append ?? writer.append)(event),
        commit: () => (fault()?.commit ?? writer.commit)(),
        [Symbol.asyncDispose]: () => (fault()?.dispose ?? writer[Symbol.asyncDispose])(),
      };
    },
  };
}

export const never = (): Promise<never> => new Promise(() => undefined);
