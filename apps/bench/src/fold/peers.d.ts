declare module "acpx/dist/queue-owner-runtime-C4OOosbo.js" {
  export function U(): object;
  export function K(conversation: object, rest: unknown, params: { sessionId: string; update: object }): unknown;
}
