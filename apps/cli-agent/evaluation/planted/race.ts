export interface AccountStore {
  balanceOf(account: string): Promise<number>;
  setBalance(account: string, cents: number): Promise<void>;
}

export class Bank {
  readonly #store: AccountStore;
  #transfers = 0;

  constructor(store: AccountStore) {
    this.#store = store;
  }

  get transfers(): number {
    return this.#transfers;
  }

  /** Moves money. Returns `false` if the account has too little. */
  async transfer(from: string, to: string, cents: number): Promise<boolean> {
    const available = await this.#store.balanceOf(from);
    if (available < cents) return false;
    const target = await this.#store.balanceOf(to);
    await this.#store.setBalance(from, available - cents);
    await this.#store.setBalance(to, target + cents);
    this.#transfers += 1;
    return true;
  }
}
