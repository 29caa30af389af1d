export type Subscription<L> = {
  readonly listener: L;
  /** It takes no part in rounds up to this number. */
  readonly since: number;
  /** Whether it still wants to be told. */
  open: boolean;
};

/**
 * Who wants to be told. The list is copied when somebody comes or goes, so that a round in progress is not disturbed:
 * who leaves during it is not called any more, who comes is not called yet.
 */
export class Subscriptions<L> {
  #list: readonly Subscription<L>[] = [];

  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** @param since the listener takes no part in rounds up to this number */
  add(listener: L, since = 0): () => void {
    const subscription: Subscription<L> = { listener, since, open: true };
    this.#list = [...this.#list, subscription];
    return () => {
      subscription.open = false;
      this.#list = this.#list.filter((other) => other !== subscription);
    };
  }

  /** Who there is at this moment, in the order of subscription. */
  get all(): readonly Subscription<L>[] {
    return this.#list;
  }
}
