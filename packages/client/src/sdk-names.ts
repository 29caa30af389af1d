/**
 * Returns a prototype for objects whose reader may know the official SDK. Reading one of the names throws the advice.
 * Otherwise, JavaScript would read `undefined`, and a policy could allow what it never looked at.
 */
function withAdvice(what: string, advice: { readonly [name: string]: string }): object {
  const getters = Object.entries(advice).map(([name, remedy]) => {
    const get = (): never => {
      throw new TypeError(`${what} has no ${name}. ${remedy}`);
    };
    return [name, { get }] as const;
  });
  return Object.create(Object.prototype, Object.fromEntries(getters));
}

export const permissionNames = withAdvice("A permission question", {
  toolCall: 'Read question.subject, whose type "tool_call" has a toolCall.',
  sessionId: "Read question.session.id.",
});

const OPTIONS = "Read session.state.configOptions.";

export const sessionNames = withAdvice("A session", {
  ...{ sessionId: "Read session.id.", modes: OPTIONS, models: OPTIONS, configOptions: OPTIONS },
});

export const peerNames = withAdvice("The peer", {
  agentCapabilities: "Read peer.capabilities.",
  agentInfo: "Read peer.info.",
  protocolVersion: "Read peer.dialect.",
});
